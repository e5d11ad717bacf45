import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAnswer } from '../../src/search/result.ts';
import { NameIndex, SearchIndex } from '../../src/search/search-index.ts';
import type { SearchFilters, SearchResult } from '../../src/schema/search.ts';
import { linesOf, review, ulidOf } from '../support/reviews.ts';

const GRACE = { technicians: ['grace-okafor'], services: [] };
const DRAIN = { technicians: ['tom-hale'], services: ['drain-cleaning'] };

/** Newest first, named by what tells them apart. */
const REVIEWS = [
  review({ id: ulidOf(5), date: '2026-03-05', rating: 5, text: null }, DRAIN),
  review(
    { id: ulidOf(4), date: '2026-03-04', rating: 4, text: 'Grace was "on time" – 100%.' },
    GRACE,
  ),
  review({ id: ulidOf(3), date: '2026-03-04', rating: 1, text: 'Never\nagain.' }, DRAIN),
  review({ id: ulidOf(2), date: '2026-03-01', rating: 3, text: 'On time, dear price.' }),
  review({ id: ulidOf(1), date: '2025-12-31', rating: 5, text: 'ON TIME' }, GRACE),
];
const NAMES = {
  technicians: [
    { id: 'grace-okafor', names: ['Grace Okafor', 'Grace'] },
    { id: 'grace-hill', names: ['Grace Hill', 'Grace'] },
    { id: 'tom-hale', names: ['Tom Hale', 'Tomás'] },
  ],
  services: [{ id: 'drain-cleaning', names: ['Drain cleaning'] }],
};
const index = new SearchIndex(linesOf(REVIEWS), NAMES);

const CASES: [behaviour: string, filters: Partial<SearchFilters>, numbers: number[]][] = [
  ['everything, newest first, then id descending', {}, [5, 4, 3, 2, 1]],
  ['an exact rating', { rating: 5 }, [5, 1]],
  ['a minimum rating, inclusive', { min_rating: 4 }, [5, 4, 1]],
  ['a minimum rating between two', { min_rating: 3.5 }, [5, 4, 1]],
  ['from a day on, inclusive', { since: '2026-03-04' }, [5, 4, 3]],
  ['up to a day, inclusive', { until: '2026-03-01' }, [2, 1]],
  ['one day', { since: '2026-03-04', until: '2026-03-04' }, [4, 3]],
  ['a range that contradicts itself', { since: '2026-03-05', until: '2026-03-04' }, []],
  ['ratings that contradict each other', { rating: 2, min_rating: 4 }, []],
  ['a substring in any case, never a review without text', { query: 'on time' }, [4, 2, 1]],
  ['punctuation', { query: '" – 1' }, [4]],
  ['a substring across a line break', { query: 'r\nA' }, [3]],
  ['a technician by id', { mentions_technician: 'grace-okafor' }, [4, 1]],
  ['a technician by a name two share', { mentions_technician: 'GRACE' }, [4, 1]],
  [
    'a technician by accented alias in another form',
    { mentions_technician: 'tOMA\u0301S' },
    [5, 3],
  ],
  ['a technician nobody knows', { mentions_technician: 'Nobody' }, []],
  ['not a part of a name', { mentions_technician: 'Grac' }, []],
  ['a service by label', { mentions_service: 'drain CLEANING' }, [5, 3]],
  [
    'all filters together',
    { min_rating: 2, until: '2026-03-04', query: 'time', mentions_technician: 'grace', rating: 4 },
    [4],
  ],
];

for (const [behaviour, filters, numbers] of CASES) {
  test(`finds ${behaviour}`, () => {
    const { matched, positions } = index.search({ ...filters, limit: 100 });
    assert.equal(matched, numbers.length);
    assert.deepEqual(
      positions.map((position) => REVIEWS[position]!.id),
      numbers.map(ulidOf),
    );
  });
}

test('counts all matches but gives only as many as the limit', () => {
  assert.deepEqual(index.search({ limit: 2 }), { matched: 5, positions: [0, 1] });
});

test('answers with the wrapper of the contract and each review in full', () => {
  const filters = { query: 'on "time', min_rating: 4, limit: 1 };
  const answer = (ignored: string[], found = index.search({ query: 'on time', limit: 1 })) =>
    JSON.parse(searchAnswer(index.lines, filters, found, ignored).toString()) as SearchResult;
  assert.deepEqual(answer([]), {
    matched: 3,
    returned: 1,
    limit: 1,
    filters: { query: 'on "time', min_rating: 4 },
    reviews: [REVIEWS[1]],
  });
  assert.deepEqual(answer(['stärs']).ignored_params, ['stärs']);
  assert.deepEqual(answer([], { matched: 0, positions: [] }).reviews, []);
  assert.deepEqual(answer([], { matched: 5, positions: [0, 1, 2, 3, 4] }).reviews, REVIEWS);
});

test('resolves a name to every id that bears it, in any case or Unicode form', () => {
  const names = new NameIndex(NAMES.technicians);
  assert.deepEqual(names.resolve('grace'), ['grace-okafor', 'grace-hill']);
  assert.deepEqual(names.resolve('TOM-HALE'), ['tom-hale']);
  assert.deepEqual(names.resolve('Toma\u0301s'), ['tom-hale']);
  assert.deepEqual(names.resolve('constructor'), []);
});
