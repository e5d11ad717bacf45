import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCursor, searchFilters } from '../../src/schema/search.ts';
import { nearestNameOf } from '../../src/search/argument-names.ts';
import { countFilters } from '../../src/schema/count.ts';
import { givenArguments, readArguments } from '../../src/search/arguments.ts';
import { ulidOf } from '../support/reviews.ts';

const parse = (query: string) => readArguments(searchFilters, new URLSearchParams(query));

/** Asserts that arguments are taken for these filters, beside the usual limit, and none is ignored. */
function assertTaken(read: ReturnType<typeof parse>, filters: object, message?: string): void {
  assert.deepEqual(read, { args: { limit: 20, ...filters }, ignored: [] }, message);
}

/** Returns the issue codes by parameter; an empty object if there are none. */
function codes(query: string): Record<string, string> {
  const parsed = parse(query);
  if (!('issues' in parsed)) return {};
  return Object.fromEntries(parsed.issues.map(({ path, code }) => [path.join('.'), code]));
}

const CURSOR = writeCursor({ sort: 'oldest', key: 4, date: '2026-05-14', id: ulidOf(7) });

/** Queries, and the filters that they ask for beside the usual limit. */
const ACCEPTED: [query: string, filters: Record<string, unknown>][] = [
  ['', {}],
  ['rating=05', { rating: 5 }],
  ['min_rating=4.5', { min_rating: 4.5 }],
  ['since=2024-02-29&until=2026-12-31', { since: '2024-02-29', until: '2026-12-31' }],
  ['since=2026-02-01&until=2020-01-01', { since: '2026-02-01', until: '2020-01-01' }],
  ['query=+drain+', { query: ' drain ' }],
  ['query=%00', { query: '\0' }],
  ['sentiment=negative&aspect=Price', { sentiment: 'negative', aspect: 'Price' }],
  ['in=text,title&query=a', { in: ['text', 'title'], query: 'a' }],
  ['sentiment=Positive&sort=NEWEST', { sentiment: 'positive', sort: 'newest' }],
  ['has_reply=yes&has_text=0', { has_reply: true, has_text: false }],
  ['has_reply=No&has_text=on', { has_reply: false, has_text: true }],
  ['has_reply=True', { has_reply: true }],
  ['query=&rating=&facets=&facets[]=&since=undefined&limit=null&cursor=undefined', {}],
  ['query=null&source=none', { query: 'null', source: 'none' }],
  [`cursor=${CURSOR}&sort=oldest`, { cursor: CURSOR, sort: 'oldest' }],
];
for (const [query, filters] of ACCEPTED) {
  test(`understands ?${query.slice(0, 60)}`, () => assertTaken(parse(query), filters));
}

const NOT_WHOLE = '4.0|1e0|0x4| 4 |+4|4,|four|٤|４|4;5|true|[5]|NaN'.split('|');
const HUGE = '9'.repeat(20);
const STARS = ['0', '0.99', '5.01', '-1', '.5', '4.', '1e0', '0x4', ' 4 ', '+4', '4,5', 'Infinity'];
const NOT_DAYS =
  '2026-02-30,2025-02-29,1900-02-29,2026-13-01,2026-01-00,2026-1-1,20260101,today,+2026-01-01,' +
  ' 2026-01-01,2026-01-01\n,2026-02-30T00:00:00Z,2026-01-01T00,2026-13,٢٠٢٦-٠١-٠١';
/** A cursor without the id of a review. */
const SHORT = btoa('["newest",4,"2026-05-14"]');
const NOT_FLAGS = ['maybe', '2', ' true'];
const NAMES =
  'mentions_technician mentions_service mentions_problem mentions_area aspect topic source language';

/** Invalid values of parameters, with the code of their issue. */
type Refused = [name: string, code: string, values: string[]];
const REFUSED: Refused[] = [
  ['rating', 'invalid_rating', ['0', '6', '-1', '4.5', HUGE, ...NOT_WHOLE]],
  ['limit', 'invalid_limit', ['0', '101', '-1', HUGE, ...NOT_WHOLE]],
  ['min_rating', 'invalid_min_rating', STARS],
  ['max_rating', 'invalid_max_rating', STARS],
  ['since', 'invalid_date', NOT_DAYS.split(',')],
  ['until', 'invalid_date', NOT_DAYS.split(',')],
  ['query', 'too_long', ['a'.repeat(2001)]],
  ...NAMES.split(' ').map((name): Refused => [name, 'too_long', ['a'.repeat(201)]]),
  ['sentiment', 'invalid_sentiment', ['good', 'positive,negative']],
  ['has_reply', 'invalid_has_reply', NOT_FLAGS],
  ['has_text', 'invalid_has_text', NOT_FLAGS],
  ['match', 'invalid_match', ['exact', 'words,substring']],
  ['in', 'invalid_in', ['url', 'text,', 'text,text', 'text title']],
  ['sort', 'invalid_sort', ['date', 'newest,oldest']],
  ['detail', 'invalid_detail', ['short', '1']],
  ['facets', 'invalid_facets', ['stars', 'rating,rating', ',']],
  ['cursor', 'invalid_cursor', [`${CURSOR}x`, 'x', 'x'.repeat(300), SHORT, btoa('null')]],
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

test('refuses Latin-1 in a query string, which matches nothing', () => {
  assert.deepEqual(codes('query=caf%E9'), { query: 'not_utf8' });
});

test('a count has the filters of a search and its own parameters', () => {
  const count = (query: string) => readArguments(countFilters, new URLSearchParams(query));
  const args = { group_by: ['aspect', 'month'], rating: 5, examples: 2 };
  assert.deepEqual(count('group_by=aspect,month&rating=5&examples=2'), { args, ignored: [] });
  const ignored = ['limit', 'sort'];
  assert.deepEqual(count('limit=5&sort=oldest'), { args: { examples: 0 }, ignored });
  const refused = count('group_by=stars&examples=3&since=x');
  const issues = 'issues' in refused ? refused.issues.map(({ code }) => code) : [];
  assert.deepEqual(issues, ['invalid_date', 'invalid_group_by', 'invalid_examples']);
  for (const query of ['group_by=year,', 'group_by=year,year', 'group_by=year,month,rating']) {
    assert.ok('issues' in count(query), query);
  }
});

test('a list is one however it is written', () => {
  for (const query of [
    'facets=rating,source',
    'facets=rating, Source',
    'facets[]=rating&facets[]=source',
    'facets[0]=rating&facets[1]=source',
    'facets=rating&facets=source',
    'facets=["rating","source"]',
    "facets=['rating', 'source']",
    'facets=[rating,source]',
  ]) {
    const encoded = new URLSearchParams(query).toString();
    assertTaken(parse(encoded), { facets: ['rating', 'source'] }, query);
  }
  for (const query of [
    'source=google,yelp',
    'source[]=google&source[]=yelp',
    'source=google&source=yelp',
    'source=["google","yelp"]',
    "source=['google','yelp']",
  ]) {
    assertTaken(parse(query), { source: 'google,yelp' }, query);
  }
  assertTaken(parse('rating[]=5'), { rating: 5 });
  assert.deepEqual(codes('rating[]=5&rating[]=4'), { rating: 'repeated' });
  const given = new URLSearchParams('source[]=a&source[]=b&rating[]=5&x=1&query=');
  assert.equal(String(givenArguments(searchFilters, given)), 'rating=5&source=a%2Cb');
});

test('a time is its day, a month and a year are their days', () => {
  for (const [text, since, until] of [
    ['2026-05-14T23:59:59.999Z', '2026-05-14', '2026-05-14'],
    ['2026-05-14T00:00:00+02:00', '2026-05-14', '2026-05-14'],
    ['2026-05-14T00:00:00 02:00', '2026-05-14', '2026-05-14'],
    ['2026-05-14 10:00', '2026-05-14', '2026-05-14'],
    ['2026', '2026-01-01', '2026-12-31'],
    ['2024-02', '2024-02-01', '2024-02-29'],
  ]) {
    const query = String(new URLSearchParams({ since: text!, until: text! }));
    assertTaken(parse(query), { since, until }, text);
  }
});

test('JSON is read as a query string is', () => {
  const read = (args: object) => readArguments(searchFilters, Object.entries(args));
  assertTaken(read({ rating: '5', limit: 7 }), { rating: 5, limit: 7 });
  assertTaken(read({ has_text: 'False' }), { has_text: false });
  assertTaken(read({ query: '', since: null, facets: [], aspect: [''], rating: undefined }), {});
  assertTaken(read({ facets: '["rating"]' }), { facets: ['rating'] });
  assertTaken(read({ source: ['google', 'yelp'] }), { source: 'google,yelp' });
  assertTaken(read({ since: 2026, query: 24 }), { since: '2026-01-01', query: '24' });
  const nested = { rating: { gte: 4 }, filters: { since: '2026' } };
  const refused = read({ ...nested, limit: [1, 2], has_text: 1 });
  const messages = 'issues' in refused ? refused.issues.map(({ message }) => message) : [];
  assert.deepEqual(messages, [
    'has_text must be true or false',
    'limit must be given once',
    'rating[gte] is unknown: min_rating may be meant',
    'filters[since] is unknown: since may be meant',
  ]);
});

test('a name that resembles a known one is an issue that names it', () => {
  const nearest = nearestNameOf(Object.keys(searchFilters.shape));
  for (const [known, names] of Object.entries({
    min_rating: 'min_stars minRating MIN-RATING rating_gte rating[gte] minrating',
    rating: 'Rating ratng stars star_rating filter[rating]',
    query: 'keyword q search search_text searchQuery text qeury',
    since: 'date_from from startDate created_after after filters[since]',
    until: 'date_to to end_date before',
    source: 'platform sources[name]',
    sort: 'order_by sortBy sort_direction',
    limit: 'page_size max_results top_k count',
    cursor: 'page offset pageToken',
    language: 'lang locale language_code',
    mentions_technician: 'technician technician_name employee',
    has_reply: 'replied hasReplies',
    facets: 'groupBy facet',
  })) {
    for (const name of names.split(' ')) assert.equal(nearest(name), known, name);
  }
  const foreign =
    'toolCallId sessionId action chatInput utm_source fbclid ref access_token id name metadata[source] reasoning';
  for (const name of foreign.split(' ')) assert.equal(nearest(name), undefined, name);
  const unknown = { min_stars: 'unknown_argument', stars: 'unknown_argument' };
  const issues = codes('min_stars=4&stars=5&rating=9');
  assert.deepEqual(issues, { rating: 'invalid_rating', ...unknown });
});

test('names the parameters it ignores, sorted and once each', () => {
  const query = 'utm_source=a&action=b&action=c&__proto__=x&constructor=y&valueOf=z&min_stars=';
  assert.deepEqual(parse(query), {
    args: { limit: 20 },
    ignored: ['__proto__', 'action', 'constructor', 'min_stars', 'utm_source', 'valueOf'],
  });
});

test('bounds how many ignored parameters an answer names', () => {
  const parsed = parse(Array.from({ length: 5000 }, (_, number) => `p${number}=1`).join('&'));
  assert.ok('ignored' in parsed && parsed.ignored.length <= 20);
});
