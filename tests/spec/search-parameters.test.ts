import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody, type Issue } from '../../src/schema/error.ts';
import { SORTS, writeCursor } from '../../src/schema/cursor.ts';
import { queryString } from '../support/http.ts';
import { ulidOf } from '../support/reviews.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

// Contract, sections 4.5 and 7: parameters are parsed strictly, and every issue is listed.

const SEARCH = '/api/reviews/search';
const NOT_WHOLE = [
  '4.0',
  '4.5',
  '1e0',
  '0x4',
  ' 4 ',
  '4 ',
  '+4',
  '4,',
  'four',
  '٤',
  '４',
  '4;5',
  'true',
  '[5]',
  'NaN',
];
const NOT_IN_THE_CALENDAR = ['2026-02-30', '2025-02-29', '1900-02-29', '2026-13-01', '2026-01-00'];
const NOT_WRITTEN_SO = [
  '2026-1-1',
  '20260101',
  ' 2026-01-01',
  '2026-01-01\n',
  '+2026-01-01',
  'today',
];
const NOT_DAYS = [...NOT_IN_THE_CALENDAR, ...NOT_WRITTEN_SO, '2026-01-01T00:00:00Z', '٢٠٢٦-٠١-٠١'];
const TOO_LONG = ['x'.repeat(201)];
const NOT_FLAGS = ['True', 'yes', '1', ' true'];

const REFUSED = {
  rating: ['0', '6', '-1', '99999999999999999999', ...NOT_WHOLE],
  min_rating: [
    '0',
    '0.99',
    '5.01',
    '-1',
    '.5',
    '4.',
    '1e0',
    '0x4',
    ' 4 ',
    '+4',
    '4,5',
    'NaN',
    'Infinity',
  ],
  since: NOT_DAYS,
  until: NOT_DAYS,
  query: ['x'.repeat(2001)],
  mentions_technician: TOO_LONG,
  mentions_service: TOO_LONG,
  max_rating: ['0', '5.01', '4,5'],
  aspect: TOO_LONG,
  sentiment: ['Positive', 'good', 'positive,negative'],
  mentions_problem: TOO_LONG,
  mentions_area: TOO_LONG,
  topic: TOO_LONG,
  source: TOO_LONG,
  language: TOO_LONG,
  has_reply: NOT_FLAGS,
  has_text: NOT_FLAGS,
  match: ['exact', 'words,substring'],
  in: ['url', 'text,', 'text,text', 'text title'],
  sort: ['Newest', 'date', 'newest,oldest'],
  cursor: ['x', '2026-05-14', 'x'.repeat(300)],
  detail: ['none', 'Brief'],
  facets: ['stars', 'rating,rating', ','],
  limit: ['0', '101', '-1', '1e1', '99999999999999999999', ...NOT_WHOLE],
};

const TAKEN: Record<keyof typeof REFUSED, string[]> = {
  rating: ['1', '5'],
  min_rating: ['1', '4.0', '4.25', '5'],
  since: ['2024-02-29', '2000-02-29', '1970-01-01', '9999-12-31'],
  until: ['2024-02-29', '9999-12-31'],
  query: ['x'.repeat(2000), '🔥'.repeat(200)],
  mentions_technician: ['x'.repeat(200)],
  mentions_service: ['x'.repeat(200)],
  max_rating: ['1', '4.25', '5'],
  aspect: ['x'.repeat(200)],
  sentiment: ['positive', 'neutral', 'negative'],
  mentions_problem: ['x'.repeat(200)],
  mentions_area: ['x'.repeat(200)],
  topic: ['x'.repeat(200)],
  source: ['x'.repeat(200)],
  language: ['x'.repeat(200), 'zh-Hant'],
  has_reply: ['true', 'false'],
  has_text: ['true', 'false'],
  match: ['substring', 'words'],
  in: ['text', 'title', 'author', 'text,title', 'title,text'],
  sort: [...SORTS],
  cursor: [writeCursor({ sort: 'oldest', key: 4, date: '2026-01-01', id: ulidOf(1) })],
  detail: ['full', 'brief'],
  facets: ['rating', 'month,aspect,replied'],
  limit: ['1', '100'],
};

forEachTarget((target) => {
  for (const [name, values] of Object.entries(REFUSED)) {
    test(`${name} refuses ${values.length} values that are not what it takes`, async () => {
      for (const value of values) {
        const issues = await issuesOf(target, queryString({ [name]: value }));
        assert.deepEqual(
          issues.map(({ path }) => path),
          [[name]],
          `${name}=${JSON.stringify(value)}`,
        );
      }
    });
  }

  for (const [name, values] of Object.entries(TAKEN)) {
    test(`${name} takes what is just within its bounds`, async () => {
      for (const value of values) {
        const { status } = await target.fetch(`${SEARCH}?${queryString({ [name]: value })}`);
        assert.equal(status, 200, `${name}=${value.slice(0, 20)}`);
      }
    });
  }

  test('a bad day is called invalid_date', async () => {
    for (const name of ['since', 'until']) {
      const [issue] = await issuesOf(target, `${name}=2026-02-30`);
      assert.equal(issue?.code, 'invalid_date');
    }
  });

  test('a parameter given twice is an issue, even with the same value', async () => {
    for (const [name, [value]] of Object.entries(TAKEN)) {
      const issues = await issuesOf(target, `${name}=${value}&${name}=${value}`);
      assert.deepEqual(
        issues.map(({ path, code }) => [path, code]),
        [[[name], 'repeated']],
      );
    }
  });

  test('every failing parameter is listed, once', async () => {
    const worst = Object.entries(REFUSED).map(([name, values]) => [name, values[0]!]);
    const issues = await issuesOf(target, queryString(Object.fromEntries(worst)));
    assert.deepEqual(issues.map(({ path }) => path[0]).sort(), Object.keys(REFUSED).sort());
  });

  test('an issue of one parameter is listed beside another parameter given twice', async () => {
    const issues = await issuesOf(target, 'rating=9&limit=5&limit=5&query=fine&utm=1');
    assert.deepEqual(issues.map(({ path }) => path[0]).sort(), ['limit', 'rating']);
  });

  test('a refusal repeats nothing of the request', async () => {
    const mark = 'echo-me-not';
    const query = queryString({ rating: mark, since: mark, query: mark.repeat(20), [mark]: mark });
    const response = await target.fetch(`${SEARCH}?${query}`);
    assert.equal(response.status, 400);
    const answer = JSON.stringify([...response.headers]) + (await response.text());
    assert.ok(!answer.includes(mark), answer);
  });

  test('a query that is not UTF-8 or not percent-encoded is a 400', async () => {
    for (const query of ['%', '%zz', '%ff', '%ed%a0%80', '%00']) {
      const { status } = await target.fetch(`${SEARCH}?query=${query}`);
      assert.ok(status === 200 || status === 400, `${query}: ${status}`);
    }
  });
});

/** Checks the complete shape of a 400 and returns its issues. */
async function issuesOf(target: Target, query: string): Promise<Issue[]> {
  const response = await target.fetch(`${SEARCH}?${query}`);
  assert.equal(response.status, 400, query);
  assert.equal(response.headers.get('content-type'), 'application/json');
  const body = errorBody.parse(await response.json());
  assert.equal(body.error, 'invalid_parameters');
  return body.issues!;
}
