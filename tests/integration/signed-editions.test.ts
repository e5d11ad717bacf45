import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { jsonLogger } from '../../sidecar/base/log.ts';
import type { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import { SignaturePolicy } from '../../sidecar/edition/signature-policy.ts';
import { writeSignature } from '../../src/build/signing.ts';
import { checkFiles, checkSignature } from '../../src/owner/commands/verify-files.ts';
import { sha256 } from '../../src/edition/etag.ts';
import { placeOf, readBytes } from '../../src/build/site-files.ts';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
import { changeManifest, openCurrent } from '../support/edition-folder.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { Origin } from '../support/origin.ts';
import { SlimEdition } from '../support/slim-edition.ts';

// A sidecar that was given public keys, between it and the build whoever can write to the bucket or
// sits on the network.

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 5, 1, 12);

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const OWN = newKey();
const OTHER = newKey();

interface SignOptions {
  key?: KeyObject;
  sequence?: number;
  rollback?: string;
  now?: number;
}

/** An edition, signed with number 1, in a folder and behind a web server. */
async function signedSite(context: TestContext) {
  const edition = await SlimEdition.create(join(await temporaryFolder(context), 'edition'));
  const { folder } = edition;
  const origin = await Origin.start(context, folder);
  const dataDir = join(folder, '../data');
  const file = join(folder, SIGNATURE_FILE);
  const lines: string[] = [];
  const clock = { now: START };
  let number = 0;
  /** Signs the folder as a build does; by default with the next number. */
  const sign = async (options: SignOptions = {}): Promise<void> => {
    const { key = OWN, sequence = ++number, rollback = null, now = clock.now } = options;
    number = sequence;
    const publicKeys = [OWN, OTHER].map(createPublicKey);
    const previous = join(folder, 'none');
    const signing = { key, publicKeys, sequence, previous, expiresDays: 30, rollback };
    await writeSignature(folder, signing, now, () => {});
  };
  /** Publishes other content, signed or with the signature of the content before. */
  const publish = async (version: number, options?: SignOptions | 'unsigned'): Promise<void> => {
    await edition.put(version, ['/feed.xml']);
    if (options !== 'unsigned') await sign(options);
  };
  const open = (from: 'folder' | 'URL', keys: readonly KeyObject[] = [OWN]) => {
    const logger = jsonLogger('warn', (line) => lines.push(line));
    const publicKeys = keys.map(createPublicKey);
    const policy = new SignaturePolicy(publicKeys, dataDir, () => clock.now, logger);
    return openCurrent(from === 'URL' ? origin.url : folder, dataDir, { logger, policy });
  };
  await sign();
  return { folder, origin, dataDir, file, lines, clock, sign, publish, open };
}

type Signed = Awaited<ReturnType<typeof signedSite>>;

const feedOf = async (current: CurrentEdition): Promise<string> => {
  const { files } = current.get();
  return (await files.bytes(files.get('/feed.xml')!.identity)).toString();
};

for (const from of ['folder', 'URL'] as const) {
  test(`a signed edition is taken from a ${from} and replaced by the next one`, async (context) => {
    const site = await signedSite(context);
    const current = await site.open(from);
    await site.publish(2);
    assert.equal(await current.refresh(), 'adopted');
    assert.match(await feedOf(current), /version 2 -->$/);
    assert.equal(current.check(site.clock.now).sequence, 2);
    assert.equal(await current.refresh(), 'unchanged');
    const { files } = current.get();
    const served = await files.bytes(files.get('/edition-signature.json')!.identity);
    assert.deepEqual(served, await readFile(site.file));
  });
}

test('an edition is refused unless its own signature is by the key', async (context) => {
  const site = await signedSite(context);
  const current = await site.open('URL');
  const served = current.get();
  const refused = async (reason: RegExp): Promise<void> => {
    site.lines.length = 0;
    assert.equal(await current.refresh(), 'failed');
    assert.match(site.lines.join(), reason);
    assert.equal(current.get(), served);
  };
  await site.publish(2, 'unsigned');
  await refused(/the signature belongs to another edition\.json/);
  await site.sign({ key: OTHER });
  await refused(/the edition is signed by another key/);
  await site.sign();
  const signature = await readFile(site.file, 'utf8');
  await writeFile(site.file, signature.replace(/"sequence":\d+/, '"sequence":99'));
  await refused(/the signature of the edition is invalid/);
  await writeFile(site.file, 'no JSON');
  await refused(/is not a signature of format 1/);
  await rm(site.file);
  await refused(/the edition is not signed/);
  await writeFile(site.file, signature);
  assert.equal(await current.refresh(), 'adopted');
});

test('an older edition that is replayed is refused, also after a restart', async (context) => {
  const site = await signedSite(context);
  const paths = ['feed.xml', MANIFEST_FILE, SIGNATURE_FILE].map((name) => join(site.folder, name));
  const old = await Promise.all(paths.map((path) => readFile(path)));
  const current = await site.open('URL');
  await site.publish(2);
  assert.equal(await current.refresh(), 'adopted');
  for (const [at, path] of paths.entries()) await writeFile(path, old[at]!);
  assert.equal(await current.refresh(), 'failed');
  assert.match(site.lines.join(), /has number 1, and 2 was taken before/);
  const restarted = await site.open('URL');
  assert.match(await feedOf(restarted), /version 2 -->$/);
  // The same content on purpose: a higher number, and the reason.
  await site.sign({ sequence: 3, rollback: 'number 2 named a customer' });
  assert.equal(await restarted.refresh(), 'adopted');
  assert.match(site.lines.at(-1)!, /an older edition on purpose.*number 2 named a customer/);
});

test('an expired edition is not taken', async (context) => {
  const site = await signedSite(context);
  site.clock.now += 32 * DAY_MS;
  await assert.rejects(site.open('URL'), /the edition expired at 2026-07-02T00:00:00Z/);
});

test('a damaged number of the newest edition is named, and nothing is taken', async (context) => {
  const site = await signedSite(context);
  const current = await site.open('URL');
  for (const damaged of ['', '{"sequence":', '{"sequence":0,"edition":"x"}']) {
    site.lines.length = 0;
    await writeFile(join(site.dataDir, 'editions/sequence.json'), damaged);
    await site.publish(2);
    assert.equal(await current.refresh(), 'failed');
    const issue = /editions\/sequence\.json is damaged: .*restore it or remove it/;
    assert.match(site.lines.join(), issue);
  }
});

test('two editions with one number are not both taken', async (context) => {
  const site = await signedSite(context);
  const current = await site.open('URL');
  await site.publish(2, { sequence: 1 });
  assert.equal(await current.refresh(), 'failed');
  assert.match(site.lines.join(), /another edition has number 1 too/);
});

test('an edition that expires while it is served is served on, not ready and logged once', async (context) => {
  const site = await signedSite(context);
  const current = await site.open('URL');
  assert.equal(current.check(site.clock.now).ok, true);
  site.clock.now += 32 * DAY_MS;
  const served = current.get();
  await current.refresh();
  await current.refresh();
  assert.equal(current.get(), served);
  const { ok, expired } = current.check(site.clock.now);
  assert.deepEqual([ok, expired], [false, true]);
  assert.equal(site.lines.filter((line) => line.includes('the edition has expired')).length, 1);
  // Also after a restart without the origin.
  await site.origin.die();
  const restarted = await site.open('URL');
  assert.equal(restarted.check(site.clock.now).ok, false);
  // A new signature of the same edition makes it ready again.
  await site.origin.comeBack();
  await site.sign();
  assert.equal(await restarted.refresh(), 'adopted');
  assert.equal(restarted.check(site.clock.now).ok, true);
});

test('while a key is replaced, both are accepted, and then only the new one', async (context) => {
  const site = await signedSite(context);
  const both = await site.open('URL', [OWN, OTHER]);
  await site.publish(2, { key: OTHER });
  assert.equal(await both.refresh(), 'adopted');
  const onlyNew = await site.open('URL', [OTHER]);
  assert.match(await feedOf(onlyNew), /version 2 -->$/);
  await assert.rejects(site.open('folder', [OWN]), /signed by another key/);
});

/** Checks a site from the outside, as `npm run verify` does; without keys by those of the site. */
async function checkSigned(where: string, ...keys: readonly KeyObject[]): Promise<string> {
  const edition = await readBytes(placeOf(where, MANIFEST_FILE));
  const known = keys.length > 0 ? keys.map(createPublicKey) : undefined;
  const checks = [
    await checkFiles(where, edition),
    await checkSignature(where, edition, known, Date.now()),
  ];
  const issues = checks.flatMap((check) => check.issues);
  return (issues.length > 0 ? issues : checks.map(({ verified }) => verified)).join('\n');
}

test('verify checks signature, age and every file from the outside', async (context) => {
  const site = await signedSite(context);
  await site.sign({ now: Date.now() });
  for (const where of [site.folder, site.origin.url]) {
    assert.match(
      await checkSigned(where, OWN),
      /^\d+ files are as edition\.json describes them, in every encoding\nsigned as number 2, until .*Z$/,
    );
  }
  assert.match(await checkSigned(site.origin.url, OTHER), /signed by another key/);
  assert.match(await checkSigned(site.origin.url, OTHER, OWN), /^signed as number 2/m);
  site.origin.instead.set('/reviews.json', (_, response) => response.end('{}'));
  const forged = await checkSigned(site.origin.url, OWN);
  assert.match(forged, /^\/reviews\.json: is not the file that edition\.json describes$/m);
  site.origin.instead.clear();
  await site.sign({ now: START - 400 * DAY_MS });
  assert.match(await checkSigned(site.origin.url, OWN), /the edition expired at/);
  await rm(site.file);
  assert.match(await checkSigned(site.origin.url, OWN), /the edition is not signed/);
});

const ANOTHER = 'is not the file that edition.json describes';

test('verify finds a replaced encoding, whether it is negotiated or in a folder', async (context) => {
  const site = await signedSite(context);
  await encodeFeed(site);
  const check = (where = site.origin.url) => checkSigned(where, OWN);
  for (const where of [site.origin.url, site.folder]) {
    assert.match(await check(where), /^\d+ files are as edition.json describes them, in every enc/);
  }

  const forged = { br: brotliCompressSync('forged'), gzip: gzipSync('forged') };
  for (const encoding of ['br', 'gzip'] as const) {
    site.origin.instead.set('/feed.xml', (request, response) => {
      const wanted = request.headers['accept-encoding'] === encoding;
      if (wanted) response.setHeader('content-encoding', encoding);
      response.end(wanted ? forged[encoding] : readFileSync(join(site.folder, 'feed.xml')));
    });
    assert.equal(await check(), `/feed.xml as ${encoding}: ${ANOTHER}`);
  }
  site.origin.instead.clear();

  for (const name of ['feed.xml.br', 'feed.xml.gz']) {
    const signed = await readFile(join(site.folder, name));
    await writeFile(join(site.folder, name), brotliCompressSync('forged'));
    assert.equal(await check(site.folder), `/${name}: ${ANOTHER}`);
    await writeFile(join(site.folder, name), signed);
  }
});

/** Compresses the feed, names the files in edition.json and signs it. */
async function encodeFeed(site: Signed): Promise<void> {
  const plain = await readFile(join(site.folder, 'feed.xml'));
  const described = (file: string, bytes: Buffer) => {
    writeFileSync(join(site.folder, file), bytes);
    return { file, size: bytes.length, sha256: sha256(bytes) };
  };
  await changeManifest(site.folder, ({ resources }) => {
    resources.find(({ file }) => file === 'feed.xml')!.encodings = {
      br: described('feed.xml.br', brotliCompressSync(plain)),
      gzip: described('feed.xml.gz', gzipSync(plain)),
    };
  });
  await site.sign({ now: Date.now() });
}
