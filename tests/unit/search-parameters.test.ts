import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCursor } from '../../src/schema/cursor.ts';
import { parseCountParameters, parseSearchParameters } from '../../src/search/parameters.ts';
import { ulidOf } from '../support/reviews.ts';

const parse = (query: string) => parseSearchParameters(new URLSearchParams(query));

function each(name: string, values: string): string[] {
  return values.split(' ').map((value) => `${name}=${value}`);
}

/** Returns the issue codes by parameter; an empty object if there are none. */
function codes(query: string): Record<string, string> {
  const parsed = parse(query);
  if (!('issues' in parsed)) return {};
  return Object.fromEntries(parsed.issues.map(({ path, code }) => [path.join('.'), code]));
}

const CURSOR = writeCursor({ sort: 'oldest', key: 4, date: '2026-05-14', id: ulidOf(7) });

const ACCEPTED: [query: string, filters: Record<string, unknown>][] = [
  ['', { limit: 20 }],
  ['rating=05', { rating: 5, limit: 20 }],
  ['min_rating=4.5', { min_rating: 4.5, limit: 20 }],
  ['since=2024-02-29&until=2026-12-31', { since: '2024-02-29', until: '2026-12-31', limit: 20 }],
  ['since=2026-02-01&until=2020-01-01', { since: '2026-02-01', until: '2020-01-01', limit: 20 }],
  ['query=+drain+', { query: ' drain ', limit: 20 }],
  ['query=%00', { query: '\0', limit: 20 }],
  ['has_reply=true&has_text=false', { has_reply: true, has_text: false, limit: 20 }],
  ['sentiment=negative&aspect=Price', { sentiment: 'negative', aspect: 'Price', limit: 20 }],
  ['in=text,title&query=a', { in: ['text', 'title'], query: 'a', limit: 20 }],
  ['facets=rating,source', { facets: ['rating', 'source'], limit: 20 }],
  [`cursor=${CURSOR}`, { cursor: CURSOR, limit: 20 }],
  [`cursor=${CURSOR}&sort=oldest`, { cursor: CURSOR, sort: 'oldest', limit: 20 }],
];

for (const [query, filters] of ACCEPTED) {
  test(`understands ?${query.slice(0, 60)}`, () => {
    assert.deepEqual(parse(query), { filters, ignored: [] });
  });
}

/** An invalid value of each parameter, by issue code; spec/search-parameters.test.ts has the rest. */
const REFUSED: Record<string, string[]> = {
  invalid_rating: each('rating', '6 %2B5'),
  invalid_min_rating: each('min_rating', '0.99'),
  invalid_limit: each('limit', '101'),
  invalid_date: [...each('since', '2026-02-30'), ...each('until', 'yesterday')],
  too_long: [`query=${'a'.repeat(2001)}`, `mentions_service=${'a'.repeat(201)}`],
  invalid_max_rating: each('max_rating', '5.01'),
  invalid_sentiment: each('sentiment', 'good'),
  invalid_has_reply: each('has_reply', 'yes'),
  invalid_has_text: each('has_text', 'no'),
  invalid_sort: each('sort', 'date'),
  invalid_detail: each('detail', 'all'),
  invalid_in: each('in', 'url'),
  invalid_facets: each('facets', 'stars'),
  invalid_cursor: [
    ...each('cursor', `${CURSOR}x ${btoa('["newest",4,"2026-05-14"]')} ${btoa('null')}`),
    `cursor=${CURSOR}&sort=newest`,
  ],
  repeated: each('rating', '9&rating=1'),
};

for (const [code, queries] of Object.entries(REFUSED)) {
  for (const query of queries) {
    test(`refuses ?${query.slice(0, 40)} with the code ${code}`, () => {
      assert.deepEqual(codes(query), { [query.split('=')[0]!]: code });
    });
  }
}

test('lists every failing parameter once, in the order of the contract', () => {
  const query = 'limit=0&query=a&query=b&until=x&rating=7&min_rating=z&since=2026-02-30&nobody=1';
  assert.deepEqual(Object.entries(codes(query)), [
    ['rating', 'invalid_rating'],
    ['min_rating', 'invalid_min_rating'],
    ['since', 'invalid_date'],
    ['until', 'invalid_date'],
    ['query', 'repeated'],
    ['limit', 'invalid_limit'],
  ]);
});

test('a count has the filters of a search and its own parameters', () => {
  const count = (query: string) => parseCountParameters(new URLSearchParams(query));
  assert.deepEqual(count('group_by=aspect,month&rating=5&examples=2'), {
    filters: { group_by: ['aspect', 'month'], rating: 5, examples: 2 },
    ignored: [],
  });
  assert.deepEqual(count('limit=5&sort=oldest'), {
    filters: { examples: 0 },
    ignored: ['limit', 'sort'],
  });
  const refused = count('group_by=stars&examples=3&since=x');
  assert.deepEqual('issues' in refused && refused.issues.map(({ code }) => code), [
    'invalid_date',
    'invalid_group_by',
    'invalid_examples',
  ]);
  for (const query of [
    'group_by=year,month,day',
    'group_by=year,year',
    'group_by=year,month,rating',
  ]) {
    assert.ok('issues' in count(query), query);
  }
});

test('names the parameters it ignores, sorted and once each', () => {
  assert.deepEqual(parse('stars=5&Rating=9&stars=4&__proto__=x&constructor=y&toString=z'), {
    filters: { limit: 20 },
    ignored: ['Rating', '__proto__', 'constructor', 'stars', 'toString'],
  });
});

test('bounds how many ignored parameters an answer names', () => {
  const parsed = parse(Array.from({ length: 5000 }, (_, number) => `p${number}=1`).join('&'));
  assert.ok('ignored' in parsed && parsed.ignored.length <= 20);
});
