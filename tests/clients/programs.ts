/** A generator of clients: how it is run, and a program that uses what it makes. */
export interface Generator {
  name: string;
  packages: readonly string[];
  /** Runs in a folder with openapi.json. */
  command: string;
  program: string;
}

/** The beginning of every program; its argument is the origin of the sidecar. */
const ASSERT = `
import assert from 'node:assert/strict';
const origin = process.argv[2]!;
`;

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
    command: 'openapi-typescript openapi.json -o openapi-typescript/api.ts',
    program: `${ASSERT}
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript/api.ts';

const client = createClient<paths>({
  baseUrl: origin,
  querySerializer: { array: { style: 'form', explode: false } },
});
const { data: dataset } = await client.GET('/reviews.json');
const query = { min_rating: 4, limit: 2, facets: ['rating', 'source'] } as const;
const { data: found } = await client.GET('/api/reviews/search', {
  params: { query: { ...query, facets: [...query.facets] } },
});
assert.ok(dataset && found && found.next !== undefined);
assert.ok(found.matched <= dataset.aggregate_rating.review_count);
assert.deepEqual(Object.keys(found.facets ?? {}), ['rating', 'source']);
const { data: next } = await client.GET('/api/reviews/search', {
  params: { query: { min_rating: 4, limit: 2, cursor: found.next } },
});
assert.notEqual(next?.reviews[0]?.id, found.reviews[0]?.id);
const { error } = await client.GET('/api/reviews/search', { params: { query: { limit: 0 } } });
assert.equal(error && 'issues' in error && error.issues?.[0]?.path[0], 'limit');
`,
  },
  {
    name: '@hey-api/openapi-ts',
    packages: ['@hey-api/openapi-ts@0.95.0'],
    command: 'openapi-ts -i openapi.json -o hey-api -c @hey-api/client-fetch --no-log-file',
    program: `${ASSERT}
import { client } from './hey-api/client.gen';
import { countReviews, getReviews, getReviewsSince, searchReviews } from './hey-api/sdk.gen';

client.setConfig({ baseUrl: origin });
const { data: dataset } = await getReviews();
const { data: found } = await searchReviews({
  query: { min_rating: 4, limit: 2, facets: ['rating', 'source'] },
});
assert.ok(dataset && found && found.next !== undefined);
assert.ok(found.matched <= dataset.aggregate_rating.review_count);
assert.deepEqual(Object.keys(found.facets ?? {}), ['rating', 'source']);
const { data: counted } = await countReviews({ query: { group_by: ['year', 'sentiment'] } });
assert.equal(counted?.total, dataset.reviews.length);
const latest = dataset.coverage.latest ?? '2026-01-01';
const { data: since } = await getReviewsSince({ path: { date: latest } });
assert.ok(since?.reviews.every(({ date }) => date >= latest));
const { error } = await searchReviews({ query: { limit: 0 } });
assert.equal(error && 'issues' in error && error.issues?.[0]?.path[0], 'limit');
`,
  },
  {
    name: 'swagger-typescript-api',
    packages: ['swagger-typescript-api@13.13.0'],
    command: 'swagger-typescript-api generate -p openapi.json -o swagger-typescript-api -n api.ts',
    // It ignores explode and repeats a parameter with several values, so a list has one here.
    program: `${ASSERT}
import { Api } from './swagger-typescript-api/api.ts';

const { api, reviewsJson } = new Api({ baseUrl: origin });
const { data: dataset } = await reviewsJson.getReviews();
const { data: found } = await api.searchReviews({ min_rating: 4, limit: 2, facets: ['rating'] });
assert.ok(found.next !== undefined);
assert.ok(found.matched <= dataset.aggregate_rating.review_count);
assert.deepEqual(Object.keys(found.facets ?? {}), ['rating']);
const { data: counted } = await api.countReviews({ group_by: ['year'] });
assert.equal(counted.total, dataset.reviews.length);
await assert.rejects(api.searchReviews({ limit: 0 }), { status: 400 });
`,
  },
];
