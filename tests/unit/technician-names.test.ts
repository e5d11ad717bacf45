import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TechnicianNames } from '../../src/insights/technician-names.ts';
import { tokenize } from '../../src/insights/tokens.ts';

const names = new TechnicianNames([
  { id: 'will', name: 'Will Hargrove', aliases: ['Will'], ambiguous: ['Will'] },
  { id: 'grace', name: 'Grace Okafor', aliases: ['Grace'], ambiguous: ['Grace'] },
  { id: 'may', name: 'May Lindt', aliases: ['May'], ambiguous: ['May'] },
  { id: 'bill', name: 'Bill Stone', aliases: ['Bill'], ambiguous: ['Bill'] },
  { id: 'hank', name: 'Hank Lindqvist', aliases: ['Hank'], ambiguous: [] },
]);
const found = (text: string) => [...names.mentioned(tokenize(text))].sort();

const PERSON: [string, string[]][] = [
  ['Thanks to Will the heat is back', ['will']],
  ['We had Grace here twice', ['grace']],
  ["We asked for Grace's advice", ['grace']],
  ['Our plumber Bill explained it', ['bill']],
  ['Will Hargrove is the best', ['will']],
  ['Will came at noon. Grace fixed it.', ['grace', 'will']],
  ['Hank did it', ['hank']],
  ['hank did it', ['hank']],
  ['It was Hank Lindqvist', ['hank']],
  ['Hank’s work held', ['hank']],
];

const NOBODY = [
  'Will they come?',
  'I will be back',
  'WILL BE BACK',
  'Will be calling again',
  'Handled with grace',
  'There is a grace period',
  'Grace period ended',
  'In May the AC died',
  'May I add something',
  'You may call',
  'The bill came on Tuesday',
  'Bill was higher than expected',
  'My sister Grace was home',
  'My neighbor Hank called them',
  'Hank Williams was on the radio',
  'A willow, a hanky and a graceful exit',
];

for (const [text, ids] of PERSON) {
  test(`names ${ids.join(' and ')}: ${text}`, () => assert.deepEqual(found(text), ids));
}
for (const text of NOBODY) {
  test(`names nobody: ${text}`, () => assert.deepEqual(found(text), []));
}
