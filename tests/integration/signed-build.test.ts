import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parsePublicKeys, verifyEdition } from '../../src/edition/signature.ts';
import { buildEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { VALID_CONTENT } from '../support/content-folder.ts';

test('a build with SIGNING_KEY signs its edition, and the next one continues the number', async (context) => {
  const folder = await temporaryFolder(context);
  const { privateKey } = generateKeyPairSync('ed25519');
  const env = {
    CONTENT_DIR: VALID_CONTENT,
    SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
  const out = join(folder, 'dist');
  const read = async (name: string) => readFile(join(out, 'client', name));
  const first = await buildEdition(out, env);
  assert.match(first.output, /signed as number 1, until \d{4}-\d\d-\d\d\n/);
  const { keys } = JSON.parse((await read('.well-known/reviews-edition-key.json')).toString()) as {
    keys: { x: string; kty: string }[];
  };
  const [key] = parsePublicKeys(keys.map(({ x }) => x).join());
  assert.ok(key!.equals(createPublicKey(privateKey)));
  const manifest = await read('edition.json');
  assert.match(manifest.toString(), /"path":"\/\.well-known\/reviews-edition-key\.json"/);
  const signature = verifyEdition(await read('edition-signature.json'), manifest, [key!]);
  assert.deepEqual([signature.sequence, signature.previous], [1, null]);

  const second = await buildEdition(out, { ...env, EDITION_ROLLBACK: 'a test' });
  assert.match(second.output, /signed as number 2/);
  assert.ok(manifest.equals(await read('edition.json')), 'the edition itself is the same');
  const next = verifyEdition(await read('edition-signature.json'), manifest, [key!]);
  assert.deepEqual([next.sequence, next.previous, next.rollback], [2, signature.edition, 'a test']);
});

for (const [name, value, message] of [
  ['SIGNING_KEY', 'no/such/file.pem', 'SIGNING_KEY: there is no such file'],
  ['SIGNING_KEY', '-----BEGIN PRIVATE KEY-----', 'SIGNING_KEY: must be an Ed25519 key in PEM'],
  ['EDITION_SEQUENCE', '0', 'EDITION_SEQUENCE: must be a number from 1'],
] as const) {
  test(`a build stops in one line at ${name}=${value}`, async (context) => {
    const folder = await temporaryFolder(context);
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const build = buildEdition(join(folder, 'dist'), {
      CONTENT_DIR: VALID_CONTENT,
      SIGNING_KEY: key,
      [name]: value,
    });
    await assert.rejects(build, ({ stderr }: Error & { stderr?: string }) => {
      assert.equal(stderr?.trim(), message);
      return true;
    });
  });
}
