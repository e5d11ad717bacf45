import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody, type Issue } from '../../src/schema/error.ts';
import { writeCursor, type SearchFilters } from '../../src/schema/search.ts';
import { NAME_FILTERS } from '../../src/search/filter-names.ts';
import { queryString } from '../support/http.ts';
import { eachOf } from '../support/mcp.ts';
import { ulidOf } from '../support/reviews.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

// Contract, sections 4.5 and 7: parameters are parsed strictly, and every issue is listed.

const SEARCH = '/api/reviews/search';
/** A value of each parameter that is refused, and one that is taken; unit/search-parameters has more. */
const VALUES = {
  rating: ['6', '5'],
  min_rating: ['0.99', '4.25'],
  since: ['2026-02-30', '2024-02-29'],
  until: ['today', '9999-12-31'],
  query: ['x'.repeat(2001), 'x'.repeat(2000)],
  mentions_technician: ['x'.repeat(201), 'x'.repeat(200)],
  mentions_service: ['x'.repeat(201), 'x'.repeat(200)],
  max_rating: ['5.01', '5'],
  aspect: ['x'.repeat(201), 'x'.repeat(200)],
  sentiment: ['good', 'neutral'],
  mentions_problem: ['x'.repeat(201), 'x'.repeat(200)],
  mentions_area: ['x'.repeat(201), 'x'.repeat(200)],
  topic: ['x'.repeat(201), 'x'.repeat(200)],
  source: ['x'.repeat(201), 'x'.repeat(200)],
  language: ['x'.repeat(201), 'zh-Hant'],
  has_reply: ['maybe', 'true'],
  has_text: ['2', 'false'],
  match: ['exact', 'words'],
  in: ['text,text', 'title,text'],
  sort: ['date', 'longest'],
  attribute: ['x'.repeat(201), 'Nationality: Germany'],
  cursor: ['x', writeCursor({ sort: 'oldest', key: 4, date: '2026-01-01', id: ulidOf(1) })],
  detail: ['none', 'brief'],
  facets: ['stars', 'month,aspect,replied'],
  limit: ['101', '100'],
} satisfies Record<keyof SearchFilters, [refused: string, taken: string]>;

forEachTarget((target) => {
  test('each parameter takes what is within its bounds, and refuses anything else', async () => {
    for (const [name, [refused, taken]] of Object.entries(VALUES)) {
      const issues = await issuesOf(target, queryString({ [name]: refused }));
      assert.deepEqual(eachOf(issues, 'path'), [[name]]);
      const isDay = name === 'since' || name === 'until';
      if (isDay) assert.equal(issues[0]!.code, 'invalid_date');
      const { status } = await target.fetch(`${SEARCH}?${queryString({ [name]: taken })}`);
      assert.equal(status, 200, name);
    }
  });

  test('a parameter given twice is an issue, even with the same value, unless it takes a list', async () => {
    const lists = new Set(['in', 'facets', ...Object.keys(NAME_FILTERS)]);
    for (const [name, [, value]] of Object.entries(VALUES)) {
      if (lists.has(name)) continue;
      const issues = await issuesOf(target, `${name}=${value}&${name}=${value}`);
      assert.deepEqual(eachOf(issues, 'path'), [[name]]);
      assert.equal(issues[0]!.code, 'repeated');
    }
  });

  test('every failing parameter is listed, once', async () => {
    const worst = Object.entries(VALUES).map(([name, [refused]]) => [name, refused]);
    const issues = await issuesOf(target, queryString(Object.fromEntries(worst)));
    assert.deepEqual(issues.map(({ path }) => path[0]).sort(), Object.keys(VALUES).sort());
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
