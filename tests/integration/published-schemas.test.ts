import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { signEdition } from '../../src/edition/signature.ts';
import { resourceAt } from '../../src/resources/catalogue.ts';
import { sampleEdition } from '../support/edition.ts';
import { readManifest } from '../support/pages.ts';

// The documents of an edition against the schemas that it publishes, independently of zod.

const client = await sampleEdition();
const { resources } = await readManifest(client);
const read = async (file: string) =>
  JSON.parse(await readFile(join(client, file), 'utf8')) as object;

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
const check = async (name: string, document: object) => {
  const { $id, ...schema } = (await read(`schemas/${name}.json`)) as { $id: string };
  assert.ok($id.endsWith(`/schemas/${name}.json`));
  const validate = ajv.getSchema(name) ?? ajv.addSchema(schema, name).getSchema(name)!;
  assert.ok(validate(document), `${name}: ${ajv.errorsText(validate.errors)}`);
};

test('every JSON document of an edition is what its schema in /schemas/ says', async () => {
  const documents = resources.filter(({ type }) => type === 'application/json');
  const checked = new Set<string>();
  for (const { path, file } of documents) {
    const resource = resourceAt(path);
    assert.ok(resource, `${path} is not in the catalogue`);
    const [schema] = Object.keys(resource.schemas ?? {}); // none where another specification has one
    if (schema === undefined) continue;
    await check(schema, await read(file));
    checked.add(schema);
  }
  assert.ok(checked.size > 10, [...checked].join());
  assert.ok(documents.length > 500);
});

test('the manifest and its signature are what their schemas say', async () => {
  await check('edition', await read(MANIFEST_FILE));
  const statement = {
    edition: 'A'.repeat(43),
    sequence: 1,
    previous: null,
    expires: '2026-07-01T00:00:00Z',
    rollback: null,
  };
  const { privateKey } = generateKeyPairSync('ed25519');
  await check('edition-signature', signEdition(statement, privateKey));
  await assert.rejects(check('edition-signature', statement));
});

test('the body for a review that is gone is what its schema says', async () => {
  const withdrawn = { id: '0'.repeat(26), date: '2026-01-01', reason: 'legal' };
  await check('gone', { error: 'gone', message: 'It was withdrawn.', withdrawn });
  await assert.rejects(check('gone', { error: 'gone' }));
});
