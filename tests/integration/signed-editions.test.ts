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

/** An edition, signed with number 1, behind a web server or in a folder. */
class Site {
  readonly folder: string;
  readonly edition: SlimEdition;
  readonly origin: Origin;
  readonly dataDir: string;
  readonly lines: string[] = [];
  now = START;
  #number = 0;

  private constructor(folder: string, edition: SlimEdition, origin: Origin) {
    this.folder = edition.folder;
    this.edition = edition;
    this.origin = origin;
    this.dataDir = join(folder, 'data');
  }

  static async create(context: TestContext): Promise<Site> {
    const folder = await temporaryFolder(context);
    const edition = await SlimEdition.create(join(folder, 'edition'));
    const origin = await Origin.start(context, edition.folder);
    const site = new Site(folder, edition, origin);
    await site.sign();
    return site;
  }

  /** Signs the folder as a build does; by default with the next number. */
  async sign({
    key = OWN,
    sequence = ++this.#number,
    rollback,
    now = this.now,
  }: SignOptions = {}): Promise<void> {
    this.#number = sequence;
    await writeSignature(
      this.folder,
      {
        key,
        publicKeys: [OWN, OTHER].map(createPublicKey),
        sequence,
        previous: join(this.folder, 'none'),
        expiresDays: 30,
        rollback: rollback ?? null,
      },
      now,
      () => {},
    );
  }

  /** Publishes other content, signed or with the signature of the content before. */
  async publish(version: number, options?: SignOptions | 'unsigned'): Promise<void> {
    await this.edition.put(version, ['/feed.xml']);
    if (options !== 'unsigned') await this.sign(options);
  }

  open(from: 'folder' | 'URL', keys: readonly KeyObject[] = [OWN]): Promise<CurrentEdition> {
    const logger = jsonLogger('warn', (line) => this.lines.push(line));
    const publicKeys = keys.map(createPublicKey);
    const policy = new SignaturePolicy(publicKeys, this.dataDir, () => this.now, logger);
    const source = from === 'URL' ? this.origin.url : this.folder;
    return openCurrent(source, this.dataDir, { logger, policy });
  }
}

const feedOf = async (current: CurrentEdition): Promise<string> => {
  const { files } = current.get();
  return (await files.bytes(files.get('/feed.xml')!.identity)).toString();
};

for (const from of ['folder', 'URL'] as const) {
  test(`a signed edition is taken from a ${from} and replaced by the next one`, async (context) => {
    const site = await Site.create(context);
    const current = await site.open(from);
    await site.publish(2);
    assert.equal(await current.refresh(), 'adopted');
    assert.match(await feedOf(current), /version 2 -->$/);
    assert.equal(current.check(site.now).sequence, 2);
    assert.equal(await current.refresh(), 'unchanged');
    const { files } = current.get();
    const served = await files.bytes(files.get('/edition-signature.json')!.identity);
    assert.deepEqual(served, await readFile(join(site.folder, SIGNATURE_FILE)));
  });
}

test('an edition is refused unless its own signature is by the key', async (context) => {
  const site = await Site.create(context);
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
  const signature = await readFile(join(site.folder, SIGNATURE_FILE), 'utf8');
  await writeFile(
    join(site.folder, SIGNATURE_FILE),
    signature.replace(/"sequence":\d+/, '"sequence":99'),
  );
  await refused(/the signature of the edition is invalid/);
  await writeFile(join(site.folder, SIGNATURE_FILE), 'no JSON');
  await refused(/is not a signature of format 1/);
  await rm(join(site.folder, SIGNATURE_FILE));
  await refused(/the edition is not signed/);
  await writeFile(join(site.folder, SIGNATURE_FILE), signature);
  assert.equal(await current.refresh(), 'adopted');
});

test('an older edition that is replayed is refused, also after a restart', async (context) => {
  const site = await Site.create(context);
  const old = await readFile(join(site.folder, SIGNATURE_FILE));
  const manifest = await readFile(join(site.folder, 'edition.json'));
  const feed = await readFile(join(site.folder, 'feed.xml'));
  const current = await site.open('URL');
  await site.publish(2);
  assert.equal(await current.refresh(), 'adopted');
  await writeFile(join(site.folder, 'feed.xml'), feed);
  await writeFile(join(site.folder, 'edition.json'), manifest);
  await writeFile(join(site.folder, SIGNATURE_FILE), old);
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
  const site = await Site.create(context);
  site.now += 32 * DAY_MS;
  await assert.rejects(site.open('URL'), /the edition expired at 2026-07-02T00:00:00Z/);
});

test('a damaged number of the newest edition is named, and nothing is taken', async (context) => {
  const site = await Site.create(context);
  const current = await site.open('URL');
  for (const damaged of ['', '{"sequence":', '{"sequence":0,"edition":"x"}']) {
    site.lines.length = 0;
    await writeFile(join(site.dataDir, 'editions/sequence.json'), damaged);
    await site.publish(2);
    assert.equal(await current.refresh(), 'failed');
    assert.match(
      site.lines.join(),
      /editions\/sequence\.json is damaged: .*restore it or remove it/,
    );
  }
});

test('two editions with one number are not both taken', async (context) => {
  const site = await Site.create(context);
  const current = await site.open('URL');
  await site.publish(2, { sequence: 1 });
  assert.equal(await current.refresh(), 'failed');
  assert.match(site.lines.join(), /another edition has number 1 too/);
});

test('an edition that expires while it is served is served on, not ready and logged once', async (context) => {
  const site = await Site.create(context);
  const current = await site.open('URL');
  assert.equal(current.check(site.now).ok, true);
  site.now += 32 * DAY_MS;
  const served = current.get();
  await current.refresh();
  await current.refresh();
  assert.equal(current.get(), served);
  const { ok, expired } = current.check(site.now);
  assert.deepEqual([ok, expired], [false, true]);
  assert.equal(site.lines.filter((line) => line.includes('the edition has expired')).length, 1);
  // Also after a restart without the origin.
  await site.origin.die();
  const restarted = await site.open('URL');
  assert.equal(restarted.check(site.now).ok, false);
  // A new signature of the same edition makes it ready again.
  await site.origin.comeBack();
  await site.sign();
  assert.equal(await restarted.refresh(), 'adopted');
  assert.equal(restarted.check(site.now).ok, true);
});

test('while a key is replaced, both are accepted, and then only the new one', async (context) => {
  const site = await Site.create(context);
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
  const site = await Site.create(context);
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
  await rm(join(site.folder, SIGNATURE_FILE));
  assert.match(await checkSigned(site.origin.url, OWN), /the edition is not signed/);
});

test('verify finds a replaced encoding, whether it is negotiated or in a folder', async (context) => {
  const site = await Site.create(context);
  const { resources } = await encodeFeed(site);
  const check = (where = site.origin.url) => checkSigned(where, OWN);
  assert.match(
    await check(),
    new RegExp(`^${resources} files are as edition.json describes them, in every encoding$`, 'm'),
  );
  assert.match(await check(site.folder), /in every encoding$/m);

  const forged = { br: brotliCompressSync('forged'), gzip: gzipSync('forged') };
  for (const encoding of ['br', 'gzip'] as const) {
    site.origin.instead.set('/feed.xml', (request, response) => {
      const wanted = request.headers['accept-encoding'] === encoding;
      if (wanted) response.setHeader('content-encoding', encoding);
      response.end(wanted ? forged[encoding] : readFileSync(join(site.folder, 'feed.xml')));
    });
    assert.equal(
      await check(),
      `/feed.xml as ${encoding}: is not the file that edition.json describes`,
    );
  }
  site.origin.instead.clear();

  for (const name of ['feed.xml.br', 'feed.xml.gz']) {
    const signed = await readFile(join(site.folder, name));
    await writeFile(join(site.folder, name), brotliCompressSync('forged'));
    const issue = `/${name}: is not the file that edition.json describes`;
    assert.equal(await check(site.folder), issue);
    await writeFile(join(site.folder, name), signed);
  }
});

/** Compresses the feed, names the files in edition.json and signs it. */
async function encodeFeed(site: Site): Promise<{ resources: number }> {
  const plain = await readFile(join(site.folder, 'feed.xml'));
  const variants = { br: brotliCompressSync(plain), gzip: gzipSync(plain) };
  let resources = 0;
  await changeManifest(site.folder, (manifest) => {
    resources = manifest.resources.length;
    const feed = manifest.resources.find(({ file }) => file === 'feed.xml')!;
    for (const [encoding, bytes] of Object.entries(variants)) {
      const file = `feed.xml.${encoding === 'br' ? 'br' : 'gz'}`;
      writeFileSync(join(site.folder, file), bytes);
      const described = { file, size: bytes.length, sha256: sha256(bytes) };
      feed.encodings[encoding as 'br' | 'gzip'] = described;
    }
  });
  await site.sign({ now: Date.now() });
  return { resources };
}
