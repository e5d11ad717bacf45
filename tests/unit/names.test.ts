import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewFilters } from '../../src/schema/search.ts';
import { FilterNames } from '../../src/search/filter-names.ts';
import { NameIndex } from '../../src/search/names.ts';

const HALE = { id: 'tom-hale', names: ['Tom Hale', 'Tomás'] };
const TECHNICIANS = new NameIndex([
  { id: 'grace-okafor', names: ['Grace Okafor', 'Grace'] },
  { id: 'grace-hill', names: ['Grace Hill', 'Grace'] },
  HALE,
  { id: 'dan', names: ['Dan', 'Dane'] },
]);
const SERVICES = new NameIndex([
  { id: 'water-heater', names: ['Water heaters', 'water tank', 'boilers'] },
  { id: 'tankless-water-heater', names: ['Tankless water heaters', 'tankless'] },
  { id: 'heat-pump', names: ['Heat pumps', 'mini split'] },
  { id: 'office_staff', names: ['Office staff', 'dispatch'] },
]);

const CASES: [names: NameIndex, name: string, ids: string[], why: string][] = [
  [TECHNICIANS, 'grace', ['grace-okafor', 'grace-hill'], 'a name that two share'],
  [TECHNICIANS, 'TOM-HALE', ['tom-hale'], 'an id in any case'],
  [TECHNICIANS, 'Toma\u0301s', ['tom-hale'], 'an alias in another Unicode form'],
  [TECHNICIANS, ' tomas ', ['tom-hale'], 'an alias without its accent'],
  [TECHNICIANS, 'Grace Okafr', ['grace-okafor'], 'a name with a typo'],
  [TECHNICIANS, 'Hill', ['grace-hill'], 'a part of a name that is a word'],
  [TECHNICIANS, 'Grac', [], 'not a part of a word'],
  [TECHNICIANS, 'Don', [], 'not a short word with a typo'],
  [TECHNICIANS, 'Danae', [], 'not a short name with a letter more'],
  [TECHNICIANS, 'constructor', [], 'not what objects have by birth'],
  [TECHNICIANS, '', [], 'nothing'],
  [SERVICES, 'water heater', ['water-heater'], 'the singular, and not every label with the words'],
  [SERVICES, 'WATER HEATERS', ['water-heater'], 'the label'],
  [SERVICES, 'heat pump', ['heat-pump'], 'an id written as words'],
  [SERVICES, 'boiler', ['water-heater'], 'the singular of an alias'],
  [SERVICES, 'biolers', ['water-heater'], 'an alias with two letters swapped'],
  [SERVICES, 'mini-split', ['heat-pump'], 'an alias with a hyphen'],
  [SERVICES, 'heater', ['water-heater', 'tankless-water-heater'], 'a word of two labels'],
  [SERVICES, 'watter heter', ['water-heater'], 'two typos in a long name'],
  [SERVICES, 'office staff', ['office_staff'], 'an id with an underscore'],
];

for (const [names, name, ids, why] of CASES) {
  test(`${JSON.stringify(name)} is ${ids.join(' and ') || 'unknown'}: ${why}`, () => {
    assert.deepEqual(names.resolve(name), ids);
  });
}

test('a word for a part of an id is no name of it, unless its words begin like id or label', () => {
  const entries = [
    { id: 'pricing', names: ['Pricing', 'price', 'cost', 'free quote'] },
    { id: 'rooms_cleaning', names: ['Rooms and cleaning', 'rooms', 'bed bugs', 'cost'] },
  ];
  const names = new NameIndex(entries, undefined, true);
  for (const name of ['Prices', 'PRICING', 'pricng']) {
    assert.deepEqual([names.resolve(name), names.widerThan(name)], [['pricing'], []]);
  }
  const wider = { cost: ['pricing', 'rooms_cleaning'], 'Free quotes': ['pricing'] };
  for (const [word, ids] of Object.entries({ ...wider, room: ['rooms_cleaning'] })) {
    assert.deepEqual([names.resolve(word), names.widerThan(word)], [[], ids]);
  }
  assert.deepEqual(names.widerThan('bedbug'), ['rooms_cleaning']);
  assert.deepEqual(names.widerThan('bed'), []);
});

test('a word for a part of an id that no review has may be a name with a typo', () => {
  const entries = [{ id: 'communication', names: ['Communication', 'comunication'] }];
  const namesWhere = (isUsed: () => boolean) =>
    new NameIndex(entries, { stopWords: new Set(), isUsed }, true);
  assert.deepEqual(namesWhere(() => false).resolve('comunication'), ['communication']);
  assert.deepEqual(namesWhere(() => true).resolve('comunication'), []);
});

test('a stop word is no name, and a word that people use is no other word with a typo', () => {
  const used = new Set(['cat', 'car', 'insurance', 'stable']);
  const entries = [
    { id: 'car-insurance', names: ['Car insurance', 'insurance for the car'] },
    { id: 'table', names: ['Over the table'] },
  ];
  const stopWords = new Set(['the', 'for']);
  const names = new NameIndex(entries, { stopWords, isUsed: (word) => used.has(word) });
  const resolved = (name: string) => names.resolve(name);
  assert.deepEqual(resolved('cat insurance'), []);
  assert.deepEqual(resolved('car insurence'), ['car-insurance']);
  assert.deepEqual(resolved('cat insurence'), []);
  assert.deepEqual(resolved('the'), []);
  assert.deepEqual(resolved('the table'), ['table']);
});

test('a title before a name of a person is left out', () => {
  const kinds = { attributes: [], languages: [], sources: [] };
  const vocabulary = { stopWords: new Set<string>(), titles: new Set(['dr']), isUsed: () => false };
  const services = [{ id: 'hale-house', names: ['Hale house'] }];
  const names = new FilterNames({ technicians: [HALE], services, ...kinds }, vocabulary);
  const resolved = (filters: ReviewFilters) => names.resolve(filters).meaning.ids;
  assert.deepEqual(resolved({ mentions_technician: 'Dr. Hale' }), {
    mentions_technician: ['tom-hale'],
  });
  assert.deepEqual(resolved({ mentions_service: 'Dr. Hale' }), { mentions_service: [] });
});

test('a name is compared with the known ones once, however often it is asked for', () => {
  let asked = 0;
  const words = { stopWords: new Set<string>(), isUsed: () => ++asked > 0 };
  const names = new NameIndex([{ id: 'car', names: ['Car repairs'] }], words);
  for (let times = 0; times < 10; times++) names.resolve('cat repairs');
  assert.equal(asked, 1);
});
