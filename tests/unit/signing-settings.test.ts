import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readSigning, writeSignature } from '../../src/build/signing.ts';
import {
  parsePublicKeys,
  parseSigningKey,
  readSignature,
  SIGNATURE_FILE,
} from '../../src/edition/signature.ts';
import { UsageError } from '../../src/run-command.ts';
import { temporaryFolder } from '../support/fixtures.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const SIGNING_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

test('the edition that a build replaces is the one before, unless PREVIOUS_EDITION names another', async () => {
  const previous = async (env: object) =>
    (await readSigning({ SIGNING_KEY, ...env }, 'dist/client'))!.previous;
  assert.equal(await previous({}), 'dist/client');
  const PREVIOUS_EDITION = 'https://reviews.example';
  assert.equal(await previous({ PREVIOUS_EDITION }), PREVIOUS_EDITION);
});

for (const [name, value, message] of [
  ['SIGNING_KEY', 'no/such/file.pem', 'SIGNING_KEY: there is no such file'],
  ['SIGNING_KEY', '-----BEGIN PRIVATE KEY-----', 'SIGNING_KEY: must be an Ed25519 key in PEM'],
  ['EDITION_SEQUENCE', '0', 'EDITION_SEQUENCE: must be a number from 1 to 999999999999999'],
  ['EDITION_EXPIRES_DAYS', '9'.repeat(15), 'EDITION_EXPIRES_DAYS: must be a number from 1 to 3650'],
  ['EDITION_EXPIRES_DAYS', '3651', 'EDITION_EXPIRES_DAYS: must be a number from 1 to 3650'],
  ['EDITION_ROLLBACK', 'x'.repeat(201), 'EDITION_ROLLBACK: must be at most 200 characters'],
] as const) {
  test(`refuses ${name}=${value} in one line`, async () => {
    const signing = readSigning({ SIGNING_KEY, [name]: value }, 'dist/client');
    await assert.rejects(signing, { constructor: UsageError, message });
  });
}

test('keys in PEM may have their line breaks escaped, once or twice', () => {
  const publicKey = createPublicKey(privateKey);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  for (const end of ['\\n', '\\\\n']) {
    const escaped = (text: string) => text.replaceAll('\n', end);
    assert.ok(parseSigningKey(escaped(SIGNING_KEY)).equals(privateKey), end);
    const [one, other] = parsePublicKeys(escaped(pem + pem));
    assert.ok(one!.equals(publicKey) && other!.equals(publicKey), end);
  }
});

/** Signs an edition at a time, with a site that holds some signature. */
async function signAt(context: TestContext, now: string, env: NodeJS.ProcessEnv, site?: string) {
  const folder = await temporaryFolder(context);
  const previous = join(folder, 'site');
  await mkdir(previous);
  await writeFile(join(folder, 'edition.json'), '{}');
  if (site !== undefined) await writeFile(join(previous, SIGNATURE_FILE), site);
  const signing = await readSigning({ SIGNING_KEY, PREVIOUS_EDITION: previous, ...env }, folder);
  const lines: string[] = [];
  await writeSignature(folder, signing!, Date.parse(now), (line) => void lines.push(line));
  const text = await readFile(join(folder, SIGNATURE_FILE), 'utf8');
  return { text, signature: readSignature(Buffer.from(text), signing!.publicKeys), lines };
}

test('the number of an edition is its time, whatever the site before holds', async (context) => {
  const first = await signAt(context, '2026-06-01T12:00:00Z', {});
  assert.equal(first.signature.sequence, 20260601120000);
  assert.deepEqual(first.lines, ['signed as number 20260601120000, until 2026-07-02']);
  const { text: old } = await signAt(context, '2020-01-01T00:00:00Z', { EDITION_SEQUENCE: '11' });
  const foreign = old.replace(/"key":"...../, '"key":"other');
  for (const [site, warning] of [
    [undefined, undefined],
    [old, undefined],
    ['garbage', /^warning: PREVIOUS_EDITION .*is not a signature/],
    [foreign, /^warning: PREVIOUS_EDITION .*signed by another key/],
  ] as const) {
    const next = await signAt(context, '2026-06-01T12:00:01Z', {}, site);
    assert.equal(next.signature.sequence, 20260601120001);
    assert.match(next.lines[0]!, warning ?? /^signed as number/);
  }
});

test('a number that goes back or stays needs a reason', async (context) => {
  const { text } = await signAt(context, '2026-06-01T12:00:00Z', {});
  for (const [now, EDITION_SEQUENCE] of [
    ['2026-06-01T11:59:59Z'],
    ['2025-06-01T12:00:00Z'],
    ['2026-06-01T12:00:00Z', '20260601120000'],
  ] as const) {
    await assert.rejects(
      signAt(context, now, { EDITION_SEQUENCE }, text),
      /has number 20260601120000, and this one would have 202\d+: set the clock right/,
    );
  }
  const back = await signAt(context, '2025-06-01T12:00:00Z', { EDITION_ROLLBACK: 'why' }, text);
  assert.equal(back.signature.rollback, 'why');
});

test('the second of two editions signed within a second has the next number', async (context) => {
  const { text } = await signAt(context, '2026-06-01T23:59:59Z', {});
  const next = await signAt(context, '2026-06-01T23:59:59Z', {}, text);
  assert.equal(next.signature.sequence, 20260602000000);
});
