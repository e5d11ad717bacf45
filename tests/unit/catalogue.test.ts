import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, resourceAt } from '../../src/resources/catalogue.ts';
import { openApiDocument } from '../../src/resources/openapi/document.ts';
import { dataset } from '../support/reviews.ts';

test('every reference in the OpenAPI document leads somewhere in it', () => {
  const source = { baseUrl: 'https://a.example', sidecar: true, dataset: dataset([]) };
  const document = openApiDocument(source, OPERATIONS);
  const references = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!),
  );
  const components = document.components as Record<string, object>;
  const lost = [...references].filter((path) => {
    const [, kind, name] = path.split('/');
    return !Object.hasOwn(components[kind!]!, name!);
  });
  assert.deepEqual(lost, []);
  assert.ok(references.size > 50);
});

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
    ['/reviews/01KZVWGK9MYE9P5H3XHFG6ZR7D.oembed.json', 'getReviewEmbed'],
    ['/reviews/', undefined],
  ]) {
    assert.equal(resourceAt(path!)?.id, id, path);
  }
});
