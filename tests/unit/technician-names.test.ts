import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { termIds } from '../../src/insights/analyze/term-finder.ts';
import { TechnicianNames } from '../../src/insights/analyze/technician-names.ts';
import { knownLanguage, UNREAD } from '../../src/insights/languages/languages.ts';
import { tokenize } from '../../src/insights/analyze/tokens.ts';
import type { Technician } from '../../src/schema/vocabulary.ts';
import { vocabulary } from '../support/engine.ts';

const { technicians, named, nobody } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/names.json'), 'utf8'),
) as { technicians: Technician[]; named: [text: string, ids: string][]; nobody: string[] };
const names = new TechnicianNames(vocabulary({ technicians }));
const found = (text: string) => termIds(names.find(tokenize(text))).join(' ');

for (const [text, ids] of named) {
  test(`names ${ids}: ${text}`, () => assert.equal(found(text), ids));
}
for (const text of nobody) {
  test(`names nobody: ${text}`, () => assert.equal(found(text), ''));
}

for (const [code, text, ids] of [
  ['fr', 'Mon mari Hank était ravi', ''],
  ['fr', 'Près de la Place Hank', ''],
  ['fr', 'Hank Juin, notre plombier', 'hank'],
  ['fr', 'Merci à Rose !', 'rose'],
  ['fr', 'Hank et Rose ont tout réparé', 'hank rose'],
  ['fr', 'Le vin Rose était bon', ''],
  ['es', 'Mi hermana Hank llamó', ''],
  ['es', 'Gracias a Grace por todo', 'grace'],
  ['es', 'Una Rose en la mesa', ''],
  ['de', 'Mein Mann Hank war begeistert', ''],
  ['de', 'Danke an Rose!', 'rose'],
  ['de', 'Ein Strauß mit Rose und Nelke', ''],
  ['de', 'Herr Hank kam pünktlich', 'hank'],
  ['nl', 'Mijn zus Hank was blij', ''],
  ['nl', 'Dank aan Rose', 'rose'],
  ['it', 'Grazie a Hank', 'hank'],
] as const) {
  test(`names ${ids || 'nobody'} in ${code}: ${text}`, () => {
    const language = knownLanguage(code) ?? UNREAD;
    const own = new TechnicianNames(vocabulary({ technicians }), language);
    assert.equal(termIds(own.find(tokenize(text, language))).join(' '), ids);
  });
}

test('for a quote against somebody, a form of a name counts whatever it means', () => {
  for (const text of ['will was rude', 'I will never call again', 'stuck with Grace', 'hank']) {
    assert.ok(names.mayName(tokenize(text)), text);
  }
  assert.ok(!names.mayName(tokenize('A willow, a hanky and a graceful exit')));
});

test('a person whom no list has is found by a title, and after "with" and "by"', () => {
  for (const text of [
    'We saw Dr. Okafor and it went badly',
    'i was told by dr smith to wait',
    'The manager Kim hung up on me',
    'Kim, the dispatcher, hung up on me',
    'I had a horrible call with Priya about it',
    'It was botched by Anders',
    'A technician named Sven broke it',
  ]) {
    assert.ok(names.mayName(tokenize(text)), text);
  }
  for (const text of [
    'The manager was rude to us',
    'I am done with them',
    'The dr refused to come',
    'Nothing but trouble with the repair, by Monday it leaked',
  ]) {
    assert.ok(!names.mayName(tokenize(text)), text);
  }
});

test('the name of the business is no person', () => {
  const aspects = [
    { id: 'overall', label: 'Overall', terms: ['recommend'], subjects: ['Embrace'] },
  ];
  const own = new TechnicianNames(vocabulary({ aspects }));
  assert.ok(!own.mayName(tokenize('My experience with Embrace was horrible')));
  assert.ok(own.mayName(tokenize('My experience with Priya was horrible')));
});
