import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditionNames } from '../../src/search/filter-names.ts';
import type { SearchFilters } from '../../src/schema/search.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { linesOf, review } from '../support/reviews.ts';

const REVIEWS = [
  review({ text: 'I’m glad: great, careful people, and the customer service was the best.' }),
  review({ text: 'The bathrooms were very dirty.', title: 'Policies', rating: 1 }),
  review({ text: 'Our cat took good care of the cars.', title: 'Cancellation' }),
  review({ text: 'The car didn’t start on time; e-mail us.', title: 'No dogs' }),
  review({ text: null, author: 'Dirty Harry' }),
  review({ text: 'L’hôtel est très propre, 水漏れをすぐに直してくれました', language: 'fr' }),
  review({ text: 'Reservations: 24/7 by mail. Nothing but words.', language: 'de' }),
];
const index = new SearchIndex(linesOf(REVIEWS), {});
const indexOf = (texts: readonly string[], names: EditionNames = {}) =>
  new SearchIndex(linesOf(texts.map((text) => review({ text }))), names);
const matched = (query: string, more: More = {}) =>
  index.search({ query, match: 'words', limit: 20, ...more }).positions;

type More = Partial<SearchFilters>;

const CASES: [behavior: string, query: string, positions: number[], more?: More][] = [
  ['all words in any order', 'service great customer', [0]],
  ['words apart in title and text', 'policy bathroom', [1]],
  ['the singular for the plural and the plural for the singular', 'dirty bathroom', [1]],
  ['beginnings of longer words', 'cancel', [2]],
  ['short words as words, not as beginnings', 'car', [2, 3]],
  ['short words by their plural', 'dog', [3]],
  ['plurals of short words as words too', 'cars', [2, 3]],
  ['a word without its apostrophe', 'didnt', [3]],
  ['a letter and a hyphen as parts of a word', 'e-mails', [3]],
  ['no words inside of words', 'tart', []],
  ['questions without their small words', 'was the service great?', [0]],
  ['questions without small words with an apostrophe', 'what I’ve been glad of', [0]],
  ['small words if there are no others', 'our', [2]],
  ['an exact string in quotation marks', '"were very dirty"', [1]],
  ['a string in typographic marks and a word', '“on time” e-mail', [3]],
  ['the opposite apostrophe', "didn't", [3]],
  ['a word behind an article with an apostrophe', 'hôtel', [5]],
  ['words of scripts without spaces', '直して', [5]],
  ['numbers as words', '24', [6]],
  ['a query of signs alone as a substring', '/', [6]],
  ['stop words of languages of the dataset only', 'et', []],
  ['authors where asked to', 'harry', [4], { in: ['author'] }],
  ['no authors unless asked to', 'harry', []],
  ['texts alone where asked to', 'policy', [], { in: ['text'] }],
  ['other filters as well', 'dirty', [], { rating: 5 }],
];
for (const [behavior, query, positions, more] of CASES) {
  test(`finds ${behavior}`, () => assert.deepEqual(matched(query, more), positions));
}

test('a word that no aspect knows is counted by its own mentions if a review has it', () => {
  const all = indexOf(['The pool was cold.', 'Great pools!', 'A lagoon.']);
  const pools = { matched: 2, positions: [0, 1], wider: {} };
  assert.deepEqual(all.search({ aspect: 'pools', limit: 20 }), pools);
  assert.equal(all.search({ aspect: 'a lagoon', limit: 20 }).matched, 1);
  for (const aspect of ['was', 'sauna', 'cold lagoon']) {
    const { matched, unresolved } = all.search({ aspect, limit: 20 });
    assert.deepEqual([matched, unresolved?.length], [0, 1], aspect);
  }
});

test('counts each word where no review has all, with the other filters', () => {
  const words = (query: string, more: More = {}) =>
    index.search({ query, match: 'words', limit: 1, ...more }).words;
  assert.deepEqual(words('dirty car'), { dirty: 1, car: 2 });
  assert.deepEqual(words('dirty car', { rating: 1 }), { dirty: 1, car: 0 });
  assert.equal(words('dirty bathroom'), undefined, 'something was found');
  assert.equal(words('zebra'), undefined, 'the count of one word is the result');
  const counted = index.count({ query: 'dirty car', match: 'words', examples: 0 });
  assert.deepEqual([counted.total, counted.words], [0, { dirty: 1, car: 2 }]);
});

test('a word finds those with other accents, an exact string does not', () => {
  const texts = ['O almoço é ótimo', 'almoco bom', 'Frühstück im Café', 'el año pasado', 'un ano'];
  const index = indexOf(texts);
  const found = (query: string) =>
    index.search({ query, match: 'words', limit: 9 } as const).positions;
  assert.deepEqual(found('almoco'), [0, 1]);
  assert.deepEqual(found('almoço'), [0, 1]);
  assert.deepEqual(found('fruhstuck cafe'), [2]);
  assert.deepEqual(found('ano'), [3, 4]);
  assert.deepEqual(found('año -pasado'), [4]);
  assert.deepEqual(found('"cafe"'), []);
});

test('a compound is found as one word and as two, however it was asked for', () => {
  const texts = ['Bed bugs in my room.', 'A bedbug bit me.', 'bed-bugs!', 'The bed was soft.'];
  const names = { aspects: [{ id: 'cleanliness', names: ['Cleanliness', 'bed bugs'] }] };
  const index = indexOf(texts, names);
  for (const aspect of ['bedbug', 'bed bugs', 'Bed-bugs', 'bedbugs']) {
    assert.deepEqual(index.search({ aspect, limit: 9 }).positions, [0, 1, 2], aspect);
  }
});
