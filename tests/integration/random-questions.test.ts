import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { H3 } from 'h3';
import { COUNT_PATH, SEARCH_PATH } from '../../src/paths.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import type { CountResult } from '../../src/schema/count.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import type { SearchResult } from '../../src/schema/search.ts';
import { byValues, naiveCount } from '../support/naive-count.ts';
import { naiveSearch, type Published } from '../support/naive-search.ts';
import { Questions } from '../support/questions.ts';
import { Random } from '../support/random.ts';
import { sampleApp } from '../support/targets.ts';

const QUESTIONS = 2_500;

let app: H3;
let published: Published;

before(async () => {
  app = await sampleApp();
  const { reviews } = await json<ReviewsDataset>('/reviews.json');
  const { per_review: perReview } = await json<InsightsDataset>('/insights.json');
  const { names } = await json<Manifest>('/edition.json');
  published = { reviews, perReview, names };
});

test(`${QUESTIONS} random searches over HTTP answer what reading every review answers`, async () => {
  const questions = new Questions(new Random(51), published);
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const filters = questions.search();
    const { matched, reviews } = await json<SearchResult>(pathOf(SEARCH_PATH, filters));
    assert.deepEqual({ matched, reviews }, naiveSearch(published, filters), show(filters));
  }
});

test(`${QUESTIONS} random counts over HTTP answer what reading every review answers`, async () => {
  const questions = new Questions(new Random(52), published);
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const filters = questions.count();
    const { total, groups } = await json<CountResult>(pathOf(COUNT_PATH, filters));
    const own = groups.map(({ key, ...numbers }) => ({
      values: filters.group_by ? [key].flat() : [],
      ...numbers,
    }));
    const found = { total, groups: own.sort(byValues) };
    assert.deepEqual(found, naiveCount(published, filters), show(filters));
  }
});

function pathOf(path: string, filters: object): string {
  const query = Object.entries(filters).map(([name, value]) => [name, String(value)]);
  return `${path}?${new URLSearchParams(query)}`;
}

async function json<T>(path: string): Promise<T> {
  const response = await app.request(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

function show(filters: object): string {
  return `differs for ${JSON.stringify(filters)}`;
}
