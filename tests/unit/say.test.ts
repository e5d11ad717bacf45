import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CountFilters } from '../../src/schema/count.ts';
import { sayCount, saySummary } from '../../src/search/say.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { linesOf, review } from '../support/reviews.ts';

const REVIEWS = [
  review({ text: 'A cold pool.', rating: 2, date: '2026-05-03' }),
  review({ text: 'The pool!', rating: 5, date: '2026-05-02' }),
  review({ text: 'Fine.', rating: 5, date: '2026-05-01' }),
];
const index = new SearchIndex(linesOf(REVIEWS), {});

function sayOf(asked: Partial<CountFilters>, language?: string): string {
  const filters = { ...asked, examples: 0 };
  const { groups, understood } = index.count(filters);
  const [newest] = index.search({ ...asked, limit: 1 }).positions;
  return sayCount(index, filters, { group: groups[0]?.group, newest, understood }, language);
}
const say = (query: string, language?: string) => sayOf({ query, match: 'words' }, language);

test('the sentence of a count is in the language of the site', () => {
  assert.match(say('pool'), /^2 of 3 reviews mention “pool”\. .* the newest is of May 3, 2026\.$/);
  assert.match(say('cold'), /^1 of 3 reviews mentions “cold”\. /);
  assert.equal(say('sauna'), 'None of the 3 reviews matches.');
  const german = /^2 von 3 Bewertungen erwähnen „pool“\. .* vom 3\. Mai 2026\.$/;
  assert.match(say('pool', 'de-AT'), german);
  assert.match(say('cold', 'fr'), /^1 avis sur 3 mentionne « cold »\. /);
  assert.match(say('pool', 'es'), /^2 de 3 reseñas mencionan «pool»\. /);
  assert.match(say('pool', 'ar'), /^من ٣ تقييم|^من 3 تقييم/);
});

test('the sentence has a word for a part of an aspect as it was asked for', () => {
  assert.match(sayOf({ aspect: 'pool' }), /^2 of 3 reviews mention “pool”\. /);
});

test('a count by more than a subject, or of words apart, has no subject', () => {
  for (const asked of [
    { query: 'pool', rating: 5 },
    { query: 'pool the', match: 'words' },
    { rating: 5 },
    { query: 'how many mention a pool?', match: 'words' },
  ] as const) {
    assert.match(sayOf(asked), /^\d of 3 reviews match(es)?\. /, JSON.stringify(asked));
  }
  assert.match(say('pooll'), /mention “pool”/);
});

test('the sentence of all reviews has their stars', () => {
  assert.match(saySummary(index), /^3 reviews give \d(\.\d+)? of 5 stars on average; /);
  assert.equal(saySummary(new SearchIndex(linesOf([]), {})), 'None of the 0 reviews matches.');
});
