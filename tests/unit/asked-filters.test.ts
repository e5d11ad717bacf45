import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedFilters } from '../../src/search/asked-filters.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { searchView } from '../../src/search/search-view.ts';
import { linesOf, review } from '../support/reviews.ts';

const REVIEWS = [
  review({ text: 'The noise was bad.', date: '2024-05-01', rating: 5 }),
  review({ text: 'Kein Lärm, alles gut.', language: 'de', date: '2022-05-02', rating: 5 }),
  review({ text: 'Noise of the pipes all night.', date: '2022-05-01', rating: 2 }),
  review({ text: 'Parking costs a lot.', date: '2021-01-01', rating: 1 }),
];
const index = new SearchIndex(linesOf(REVIEWS), {});

const YEAR = { since: '2022-01-01', until: '2022-12-31' };

for (const [query, rest, filters] of [
  ['noise five stars 2022', 'noise', { rating: 5, ...YEAR }],
  ['noise in 2022?', 'noise', YEAR],
  ['noise since 2022', 'noise', { since: '2022-01-01' }],
  ['noise before 2022', 'noise', { until: '2022-12-31' }],
  ['1-star noise', 'noise', { rating: 1 }],
  ['1 star reviews about parking', 'reviews about parking', { rating: 1 }],
  ['5stars noise', 'noise', { rating: 5 }],
  ['Lärm fünf Sterne seit 2022', 'Lärm', { rating: 5, since: '2022-01-01' }],
  ['noise in May 2022', 'noise', { since: '2022-05-01', until: '2022-05-31' }],
  ['noise since Feb 2022', 'noise', { since: '2022-02-01' }],
  ['Lärm im März 2022', 'Lärm', { since: '2022-03-01', until: '2022-03-31' }],
  ['what do people complain about in 2022?', '', YEAR],
  ['five star reviews', '', { rating: 5 }],
  ['noise 1999', 'noise 1999', {}],
  ['"five stars" noise', '"five stars" noise', {}],
  ['five stars', 'five stars', {}],
  ['in 2022', 'in 2022', {}],
  ['allemand', '', { language: 'allemand' }],
] as const) {
  test(`takes filters out of "${query}"`, () => {
    assert.deepEqual(askedFilters(query, index), { filters, rest });
  });
}

test('takes filters out of a question in a language of the pages', () => {
  const site = { language: 'es-MX', languages: ['ar'] };
  const pages = new SearchIndex(linesOf(REVIEWS), {}, undefined, undefined, site);
  const month = { since: '2022-03-01', until: '2022-03-31' };
  assert.deepEqual(askedFilters('noise en marzo de 2022', pages).filters, month);
  const spanish = { filters: { rating: 5, since: '2022-01-01' }, rest: 'noise' };
  assert.deepEqual(askedFilters('noise cinco estrellas desde 2022', pages), spanish);
  const arabic = { filters: { rating: 5, until: '2022-12-31' }, rest: 'noise' };
  assert.deepEqual(askedFilters('noise خمس نجوم قبل ٢٠٢٢', pages), arabic);
  assert.deepEqual(askedFilters('noise cinco estrellas', index).filters, {});
});

test('the page shows what it took for filters, and each can be removed', () => {
  const view = searchView(new URLSearchParams('query=noise+five+stars+2024'), index);
  const shown = view.applied.map(({ name, value, link }) => `${name} ${value}: ${link}`);
  assert.deepEqual(shown, [
    'rating 5: since=2024-01-01&until=2024-12-31&query=noise',
    'since 2024-01-01: rating=5&until=2024-12-31&query=noise',
    'until 2024-12-31: rating=5&since=2024-01-01&query=noise',
    'query noise: rating=5&since=2024-01-01&until=2024-12-31',
  ]);
  assert.equal(view.found!.matched, 1);
  const given = searchView(new URLSearchParams('query=noise+five+stars&rating=2'), index);
  assert.equal(given.asked.query, 'noise five stars', 'a filter that is given is not taken again');
});

test('the page shows what fits best where no review has all words, or says that none does', () => {
  const best = (query: string) => searchView(new URLSearchParams({ query }), index).found!.best;
  const { reviews, confidence } = best('is the noise of pipes bad')!;
  assert.equal(reviews[0]!.sentence, 'Noise of the pipes all night.');
  assert.ok(confidence > 0.6 && confidence < 1);
  assert.deepEqual(best('parking for unicorns with zebras and ponies')?.reviews, []);
  assert.equal(best('noise'), undefined);
  assert.equal(best('unicorns'), undefined);
});
