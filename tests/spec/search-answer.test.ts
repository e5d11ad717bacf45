import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CountResult } from '../../src/schema/count.ts';
import type { SearchResult } from '../../src/schema/search.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

// Contract, section 4.5: the body of a search.

const SEARCH = '/api/reviews/search';
const searchOf = (target: Target, query = '') => target.json<SearchResult>(SEARCH + query);

forEachTarget((target) => {
  test('without filters every review matches, and the newest are returned, 20 without a limit', async () => {
    const { reviews } = await target.dataset();
    for (const [query, limit] of [
      ['', 20],
      ['?limit=1', 1],
      ['?limit=7', 7],
      ['?limit=100', 100],
    ] as const) {
      const result = await searchOf(target, query);
      assert.equal(result.limit, limit);
      assert.equal(result.matched, reviews.length);
      assert.equal(result.returned, Math.min(limit, reviews.length));
      assert.deepEqual(result.reviews, reviews.slice(0, limit));
    }
  });

  test('filters are given back as they were understood', async () => {
    const query =
      '?min_rating=4.0&since=2020-02-29&until=&query=A%20b&mentions_service=Nobody&limit=5';
    const { filters } = await searchOf(target, query);
    assert.deepEqual(filters, {
      min_rating: 4,
      since: '2020-02-29',
      query: 'A b',
      mentions_service: 'Nobody',
    });
  });

  test('an empty parameter is an absent one', async () => {
    const absent = await searchOf(target);
    const names = ['rating', 'min_rating', 'since', 'until', 'query', 'limit'];
    for (const name of [...names, 'mentions_technician', 'mentions_service']) {
      assert.deepEqual(await searchOf(target, `?${name}=`), absent, name);
      assert.deepEqual(await searchOf(target, `?${name}`), absent, name);
    }
  });

  test('an empty parameter beside a full one does not repeat it', async () => {
    const once = await searchOf(target, '?rating=5');
    assert.deepEqual(await searchOf(target, '?rating=&rating=5'), once);
    assert.deepEqual(await searchOf(target, '?rating=5&rating='), once);
  });

  test('unknown parameters are ignored and named', async () => {
    const query = '?utm=1&action=2&utm=3&rating=5';
    const { ignored_params: ignored, ...rest } = await searchOf(target, query);
    assert.deepEqual(ignored?.toSorted(), ['action', 'utm']);
    assert.deepEqual(rest, await searchOf(target, '?rating=5'));
  });

  test('filters that no review can pass together match nothing, and the answer says which', async () => {
    for (const [query, said] of [
      ['since=2026-02-01&until=2020', ['since is after until']],
      ['min_rating=4&max_rating=3', ['min_rating is above max_rating']],
      ['rating=2&min_rating=4.5', ['min_rating is above rating']],
      ['min_rating=4&max_rating=4&since=2026&until=2026', undefined],
    ] as const) {
      const { matched, contradictions } = await searchOf(target, `?${query}`);
      assert.deepEqual(contradictions, said, query);
      if (said) assert.equal(matched, 0);
      const count = await target.json<CountResult>(`/api/reviews/count?${query}`);
      assert.deepEqual(count.contradictions, said, query);
    }
  });

  test('next leads to the following page, and Link to the same address', async () => {
    const { reviews } = await target.dataset();
    const first = await target.fetch(`${SEARCH}?limit=3&rating=&sort=oldest&utm=1`);
    const { next } = (await first.json()) as SearchResult;
    const given = /<([^>]+)>; rel="next"$/.exec(first.headers.get('link')!)![1]!;
    const asked = Object.fromEntries(new URL(given).searchParams);
    assert.deepEqual(asked, { sort: 'oldest', cursor: next, limit: '3' });
    const { base_url: baseUrl } = await target.manifest();
    assert.ok(given.startsWith(`${baseUrl}${SEARCH}?`), given);
    const second = await target.json<SearchResult>(given.slice(baseUrl.length));
    assert.deepEqual(second.reviews, reviews.toReversed().slice(3, 6));
    assert.equal(second.matched, reviews.length);
  });

  test('the last page has no next', async () => {
    const { next, matched } = await searchOf(target, '?limit=100&rating=5');
    assert.equal(next !== undefined, matched > 100);
    const response = await target.fetch(`${SEARCH}?query=qqqqqq`);
    assert.equal(response.headers.get('link'), null);
    assert.equal('next' in ((await response.json()) as SearchResult), false);
  });

  test('the same question in other words has the same ETag, another question another', async () => {
    const tag = async (query: string) => (await target.fetch(SEARCH + query)).headers.get('etag');
    const plain = await tag('?rating=5&query=the');
    assert.equal(await tag('?query=the&rating=5&limit=20&since='), plain);
    assert.notEqual(await tag('?query=the&rating=4'), plain);
    assert.notEqual(await tag('?query=the&rating=5&limit=21'), plain);
    assert.notEqual(await tag('?query=the&rating=5&utm=1'), plain);
  });
});
