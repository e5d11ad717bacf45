import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { reviewsDataset, sinceResult } from '../../src/schema/dataset.ts';
import { insightsDataset } from '../../src/schema/insights.ts';
import { searchResult } from '../../src/schema/search.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, sections 1.5 and 2: the resources, their media types and their fields.

const SHAPES: Record<string, z.ZodType> = {
  '/reviews.json': reviewsDataset,
  '/insights.json': insightsDataset,
  '/api/reviews/search': searchResult,
  '/api/reviews/since/1970-01-01': sinceResult,
};

forEachTarget((target) => {
  for (const [path, shape] of Object.entries(SHAPES)) {
    test(`${path} has every field of its schema and no other`, async () => {
      shape.parse(await target.json(path));
    });
  }

  test('data and the JSON Feed are application/json, the Atom feed application/atom+xml', async () => {
    for (const path of [...Object.keys(SHAPES), '/api/feed.json']) {
      const response = await target.fetch(path);
      assert.equal(response.headers.get('content-type'), 'application/json', path);
    }
    const atom = await target.fetch('/feed.xml');
    assert.equal(atom.headers.get('content-type'), 'application/atom+xml');
  });

  test('pages are UTF-8 HTML', async () => {
    const page = await target.fetch('/');
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  });

  // A listing and a search have them in this order (spec/since, spec/search-answer).
  test('reviews come by date, then id, descending', async () => {
    const keys = (await target.dataset()).reviews.map(({ date, id }) => `${date} ${id}`);
    assert.deepEqual(keys, keys.toSorted().toReversed());
  });

  test('the datasets are of one edition', async () => {
    const insights = await target.json<{ edition: string }>('/insights.json');
    assert.equal(insights.edition, (await target.dataset()).edition);
  });

  test('the permalink of a review leads to its page, and a former one to an anchor', async () => {
    const { reviews } = await target.dataset();
    for (const at of [0, reviews.length >> 1, reviews.length - 1]) {
      const { date, id, url } = reviews[at]!;
      const { pathname, hash } = new URL(url);
      assert.deepEqual([pathname, hash], [`/reviews/${id}/`, '']);
      const page = await target.fetch(pathname);
      assert.equal(page.status, 200, pathname);
      assert.ok((await page.text()).includes(`<link rel="canonical" href="${url}">`), pathname);
      const month = await target.fetch(`/reviews/${date.slice(0, 7)}/`);
      assert.ok((await month.text()).includes(`id="${id}"`), id);
    }
  });
});
