import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { idsOf } from '../../src/insights/analyze/mention-finder.ts';
import { TechnicianNames } from '../../src/insights/analyze/technician-names.ts';
import { tokenize } from '../../src/insights/analyze/tokens.ts';
import type { Technician } from '../../src/schema/vocabulary.ts';

const { technicians, named, nobody } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/names.json'), 'utf8'),
) as { technicians: Technician[]; named: [text: string, ids: string][]; nobody: string[] };
const names = new TechnicianNames(technicians);
const found = (text: string) => idsOf(names.find(tokenize(text))).join(' ');

for (const [text, ids] of named) {
  test(`names ${ids}: ${text}`, () => assert.equal(found(text), ids));
}
for (const text of nobody) {
  test(`names nobody: ${text}`, () => assert.equal(found(text), ''));
}

test('for a quote against somebody, a form of a name counts whatever it means', () => {
  for (const text of ['will was rude', 'I will never call again', 'stuck with Grace', 'hank']) {
    assert.ok(names.mayName(tokenize(text)), text);
  }
  assert.ok(!names.mayName(tokenize('A willow, a hanky and a graceful exit')));
});
