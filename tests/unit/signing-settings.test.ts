import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { readSigning } from '../../src/build/signing.ts';
import { UsageError } from '../../src/run-command.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const SIGNING_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

test('signs nothing without SIGNING_KEY', async () => {
  assert.equal(await readSigning({ EDITION_SEQUENCE: '3' }, 'dist/client'), undefined);
});

test('the edition that a build replaces is the one before, unless PREVIOUS_EDITION names another', async () => {
  const signing = await readSigning({ SIGNING_KEY }, 'dist/client');
  assert.equal(signing!.previous, 'dist/client');
  const PREVIOUS_EDITION = 'https://reviews.example';
  const other = await readSigning({ SIGNING_KEY, PREVIOUS_EDITION }, 'dist/client');
  assert.equal(other!.previous, PREVIOUS_EDITION);
});

for (const [name, value, message] of [
  ['SIGNING_KEY', 'no/such/file.pem', 'SIGNING_KEY: there is no such file'],
  ['SIGNING_KEY', '-----BEGIN PRIVATE KEY-----', 'SIGNING_KEY: must be an Ed25519 key in PEM'],
  ['EDITION_SEQUENCE', '0', 'EDITION_SEQUENCE: must be a number from 1'],
] as const) {
  test(`refuses ${name}=${value} in one line`, async () => {
    await assert.rejects(readSigning({ SIGNING_KEY, [name]: value }, 'dist/client'), (error) => {
      assert.ok(error instanceof UsageError);
      assert.equal(error.message, message);
      return true;
    });
  });
}
