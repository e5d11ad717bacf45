import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCursor } from '../../src/schema/cursor.ts';
import { parseCountParameters, parseSearchParameters } from '../../src/search/parameters.ts';
import { ulidOf } from '../support/reviews.ts';

const parse = (query: string) => parseSearchParameters(new URLSearchParams(query));

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
  ['sentiment=negative&aspect=Price', { sentiment: 'negative', aspect: 'Price', limit: 20 }],
  ['in=text,title&query=a', { in: ['text', 'title'], query: 'a', limit: 20 }],
  [`cursor=${CURSOR}&sort=oldest`, { cursor: CURSOR, sort: 'oldest', limit: 20 }],
];

for (const [query, filters] of ACCEPTED) {
  test(`understands ?${query.slice(0, 60)}`, () => {
    assert.deepEqual(parse(query), { filters, ignored: [] });
  });
}

const NOT_WHOLE = '4.0|1e0|0x4| 4 |+4|4,|four|٤|４|4;5|true|[5]|NaN'.split('|');
const HUGE = '9'.repeat(20);
const STARS = ['0', '0.99', '5.01', '-1', '.5', '4.', '1e0', '0x4', ' 4 ', '+4', '4,5', 'Infinity'];
const NOT_DAYS =
  '2026-02-30,2025-02-29,1900-02-29,2026-13-01,2026-01-00,2026-1-1,20260101,today,+2026-01-01,' +
  ' 2026-01-01,2026-01-01\n,2026-01-01T00:00:00Z,٢٠٢٦-٠١-٠١';
const NOT_FLAGS = ['True', 'yes', '1', ' true'];
const NAMES =
  'mentions_technician mentions_service mentions_problem mentions_area aspect topic source language';

/** Invalid values of parameters, with the code of their issue. */
const REFUSED: [name: string, code: string, values: string[]][] = [
  ['rating', 'invalid_rating', ['0', '6', '-1', '4.5', HUGE, ...NOT_WHOLE]],
  ['limit', 'invalid_limit', ['0', '101', '-1', HUGE, ...NOT_WHOLE]],
  ['min_rating', 'invalid_min_rating', STARS],
  ['max_rating', 'invalid_max_rating', STARS],
  ['since', 'invalid_date', NOT_DAYS.split(',')],
  ['until', 'invalid_date', NOT_DAYS.split(',')],
  ['query', 'too_long', ['a'.repeat(2001)]],
  ...NAMES.split(' ').map((name): [string, string, string[]] => [
    name,
    'too_long',
    ['a'.repeat(201)],
  ]),
  ['sentiment', 'invalid_sentiment', ['Positive', 'good', 'positive,negative']],
  ['has_reply', 'invalid_has_reply', NOT_FLAGS],
  ['has_text', 'invalid_has_text', NOT_FLAGS],
  ['match', 'invalid_match', ['exact', 'words,substring']],
  ['in', 'invalid_in', ['url', 'text,', 'text,text', 'text title']],
  ['sort', 'invalid_sort', ['Newest', 'date', 'newest,oldest']],
  ['detail', 'invalid_detail', ['none', 'Brief']],
  ['facets', 'invalid_facets', ['stars', 'rating,rating', ',']],
  [
    'cursor',
    'invalid_cursor',
    [`${CURSOR}x`, 'x', 'x'.repeat(300), btoa('["newest",4,"2026-05-14"]'), btoa('null')],
  ],
];

for (const [name, code, values] of REFUSED) {
  test(`refuses ${values.length} values of ${name} with the code ${code}`, () => {
    for (const value of values) {
      const query = String(new URLSearchParams({ [name]: value }));
      assert.deepEqual(codes(query), { [name]: code }, query);
    }
  });
}

test('refuses a cursor of another order, and a parameter given twice', () => {
  assert.deepEqual(codes(`cursor=${CURSOR}&sort=newest`), { cursor: 'invalid_cursor' });
  assert.deepEqual(codes('rating=9&rating=1'), { rating: 'repeated' });
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
    'group_by=year,',
    'group_by=Year',
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
