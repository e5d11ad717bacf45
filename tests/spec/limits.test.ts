import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchResult } from '../../src/schema/search.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, section 8; the limits of WebSub are those of the hub's suite.

const LIMITS = [
  { parameter: 'limit', taken: ['1', '100'], refused: ['0', '101'] },
  { parameter: 'rating', taken: ['1', '5'], refused: ['0', '6', '4.5'] },
  { parameter: 'min_rating', taken: ['1', '4.5', '5'], refused: ['0.9', '5.1'] },
];

forEachTarget((target) => {
  test('a search returns 20 reviews unless limit says otherwise', async () => {
    const { reviews } = await target.dataset();
    const result = await target.json<SearchResult>('/api/reviews/search');
    assert.equal(result.reviews.length, Math.min(20, reviews.length));
  });

  for (const { parameter, taken, refused } of LIMITS) {
    test(`${parameter} takes ${taken.join(', ')} and refuses ${refused.join(', ')}`, async () => {
      const statusOf = async (value: string) =>
        (await target.fetch(`/api/reviews/search?${parameter}=${value}`)).status;
      assert.deepEqual(new Set(await Promise.all(taken.map(statusOf))), new Set([200]));
      assert.deepEqual(new Set(await Promise.all(refused.map(statusOf))), new Set([400]));
    });
  }

  test('the feeds hold 50 reviews, or all where there are fewer', async () => {
    const expected = Math.min(50, (await target.dataset()).reviews.length);
    const { items } = await target.json<{ items: unknown[] }>('/api/feed.json');
    assert.equal(items.length, expected);
    const atom = await (await target.fetch('/feed.xml')).text();
    assert.equal(atom.match(/<entry>/g)?.length ?? 0, expected);
  });
});
