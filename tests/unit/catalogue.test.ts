import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, resourceAt } from '../../src/resources/catalogue.ts';

test('no two operations have the same id, or the same method and path', () => {
  const ids = OPERATIONS.map(({ id }) => id);
  const requests = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(new Set(requests).size, requests.length);
});

test('the path of a document leads to its resource', () => {
  for (const [path, id] of [
    ['/reviews.json', 'getReviews'],
    ['/reviews/01KZVWGK9MYE9P5H3XHFG6ZR7D.json', 'getReview'],
    ['/api/feed.json', 'getJsonFeed'],
    ['/api/feed/2026-01-01.json', 'getJsonFeedArchive'],
    ['/api/reviews/since/2026-01-01', 'getReviewsSince'],
    ['/reviews/', undefined],
  ]) {
    assert.equal(resourceAt(path!)?.id, id, path);
  }
});
