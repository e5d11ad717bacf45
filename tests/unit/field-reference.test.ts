import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fieldReference } from '../support/field-reference.ts';
import { ROOT } from '../support/fixtures.ts';

// UPDATE=1 npm test -- tests/unit/field-reference.test.ts writes the document anew.
const FILE = join(ROOT, 'src/schema/FIELDS.md');

test('the reference of fields is what the schemas say', () => {
  if (process.env.UPDATE) writeFileSync(FILE, fieldReference());
  assert.equal(readFileSync(FILE, 'utf8'), fieldReference());
});

test('every field has a description, unless it is part of one that has', () => {
  const fields = fieldReference().match(/^- `\w+` \(.*/gm)!;
  const bare = fields.filter((line) => /^- `\w+` \([^)]*(\([^)]*\)[^)]*)?\)$/.test(line));
  assert.deepEqual(bare, []);
  assert.ok(fields.length > 100, `${fields.length} fields`);
});
