import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { explainItself } from '../support/explain-itself.ts';
import { ROOT } from '../support/fixtures.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

// npm run clients: checks the OpenAPI document with a linter, has generators make clients of it,
// which must compile strictly and work against a running sidecar, and reads it with other people's
// HTTP library, feed parsers and MCP hosts. It installs them in a folder of its own, because together
// they are larger than all other dependencies.

explainItself(import.meta.url);
const PACKAGES = (
  '@redocly/cli@2 openapi-typescript@7.13.0 openapi-fetch@0.17.0 axios@1 rss-parser@3 feedparser@2 ' +
  '@extractus/feed-extractor@7 @rowanmanning/feed-parser@2 @ai-sdk/mcp@1 @langchain/mcp-adapters@1 ' +
  '@langchain/core@1 orval@8 @hey-api/openapi-ts@0.99 typescript@5'
).split(' ');
const PROGRAM = `
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const client = createClient<paths>({
  baseUrl: process.argv[2]!,
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
`;

/** Clients that generators made, with lists as their types have them and as callers write them. */
const GENERATED = `
import assert from 'node:assert/strict';
import axios from 'axios';
import * as orvalAxios from './orval-axios-functions.ts';
import * as orval from './orval-fetch.ts';
import { client } from './hey/client.gen.ts';
import * as hey from './hey/sdk.gen.ts';
import { client as axiosClient } from './hey-axios/client.gen.ts';
import * as heyAxios from './hey-axios/sdk.gen.ts';

const origin = process.argv[2]!;
client.setConfig({ baseUrl: origin });
axiosClient.setConfig({ baseURL: origin });
const lists = { facets: ['rating', 'source'], limit: 1, has_reply: true } as const;
for (const source of ['google,yelp', ['google', 'yelp'] as unknown as string]) {
  const query = { ...lists, facets: [...lists.facets], source };
  const groups = { group_by: ['aspect' as const, 'sentiment' as const], source };
  const found = [
    await orvalAxios.searchReviews(query),
    await orval.searchReviews(query),
    await hey.searchReviews({ query }),
    await heyAxios.searchReviews({ query }),
  ].map(({ data }) => data as orval.SearchResult);
  const all = (await axios.get(origin + '/reviews.json')).data.reviews;
  const meant = all.filter(
    (review: { source: string; owner_reply?: object }) =>
      ['google', 'yelp'].includes(review.source) && review.owner_reply,
  );
  for (const { matched, facets, ignored_params: ignored } of found) {
    assert.deepEqual([matched, ignored], [meant.length, undefined]);
    assert.deepEqual(Object.keys(facets ?? {}), ['rating', 'source']);
  }
  const counted = [
    await orvalAxios.countReviews(groups),
    await orval.countReviews(groups),
    await hey.countReviews({ query: groups }),
    await heyAxios.countReviews({ query: groups }),
  ].map(({ data }) => data as orval.CountResult);
  for (const count of counted) assert.deepEqual(count, counted[0]);
  assert.deepEqual(counted[0]?.group_by, ['aspect', 'sentiment']);
}
const path = { date: '2026-10-01' };
const { data: since } = await hey.getReviewsSince({ path });
assert.ok(since && 'count' in since && since.count > 0);
`;

/** Uses other people's programs with the sidecar, with nothing set for it. */
const STRANGERS = `
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import axios from 'axios';
import RssParser from 'rss-parser';
import FeedParser from 'feedparser';
import { extractFromXml } from '@extractus/feed-extractor';
import { parseFeed } from '@rowanmanning/feed-parser';
import { experimental_createMCPClient as createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const origin = process.argv[2];
const search = (params) => axios.get(origin + '/api/reviews/search', { params });
const { data: list } = await search({ source: ['google', 'yelp'], limit: 1, since: new Date(0) });
const { data: text } = await search({ source: 'google,yelp', limit: 1 });
assert.equal(list.matched, text.matched);

const { data: xml } = await axios.get(origin + '/feed.xml', { responseType: 'text' });
const { data: feed } = await axios.get(origin + '/api/feed.json');
const titles = feed.items.map(({ title }) => title);
const { items } = await new RssParser().parseString(xml);
const streamed = [];
await new Promise((resolve, reject) => {
  const parser = new FeedParser();
  parser.on('error', reject).on('data', (item) => streamed.push(item)).on('end', resolve);
  Readable.from([xml]).pipe(parser);
});
for (const read of [items, streamed, extractFromXml(xml).entries, parseFeed(xml).items]) {
  assert.deepEqual(read.map(({ title }) => title), titles);
}

const client = await createMCPClient({ transport: { type: 'http', url: origin + '/mcp' } });
const { count_reviews: count } = await client.tools();
const counted = await count.execute({ group_by: '["year"]' }, { toolCallId: 'a', messages: [] });
assert.ok(!counted.isError, JSON.stringify(counted));
await client.close();

const adapters = new MultiServerMCPClient({ reviews: { transport: 'http', url: origin + '/mcp' } });
const tools = await adapters.getTools();
const answer = await tools.find(({ name }) => name === 'search_reviews').invoke({ limit: 1, query: '' });
assert.match(JSON.stringify(answer), /matched/);
await adapters.close();
`;

const STRICT =
  '--strict --noUncheckedIndexedAccess --noEmit --target esnext --module preserve ' +
  '--allowImportingTsExtensions --types node';

const TYPES = join(ROOT, 'node_modules/@types');
const BUNDLE = '--bundle --platform=node --format=esm --log-level=error';

const folder = await mkdtemp(join(tmpdir(), 'reviews-clients-'));
const server = await listenOnFreePort(await sampleApp());
try {
  const { origin } = new URL(server.url);
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as object;
  const here = { ...document, servers: [{ url: origin }] };
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(here));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(folder, 'use.ts'), PROGRAM);
  await step('npm', 'install', '--ignore-scripts', '--no-audit', ...PACKAGES);
  const own = (name: string) => join(folder, 'node_modules/.bin', name);
  const ours = (name: string) => join(ROOT, 'node_modules/.bin', name);
  await step(own('redocly'), 'lint', '--extends', 'recommended-strict', 'openapi.json');
  await step(own('openapi-typescript'), 'openapi.json', '-o', 'api.ts');
  await step(ours('tsc'), ...STRICT.split(' '), '--typeRoots', TYPES, 'use.ts');
  await step(ours('esbuild'), ...BUNDLE.split(' '), 'use.ts', '--outfile=use.mjs');
  await step(process.execPath, 'use.mjs', origin);
  const orval = (client: string) => ({
    input: 'openapi.json',
    output: { target: `orval-${client}.ts`, client, baseUrl: origin },
  });
  const configuration = { axios: orval('axios-functions'), fetch: orval('fetch') };
  await writeFile(
    join(folder, 'orval.config.mjs'),
    `export default ${JSON.stringify(configuration)};`,
  );
  await step(own('orval'));
  await step(own('openapi-ts'), '-i', 'openapi.json', '-o', 'hey');
  await step(
    own('openapi-ts'),
    '-i',
    'openapi.json',
    '-o',
    'hey-axios',
    '-c',
    '@hey-api/client-axios',
  );
  await writeFile(join(folder, 'generated.ts'), GENERATED);
  await step(
    own('tsc'),
    ...STRICT.split(' '),
    '--skipLibCheck',
    '--typeRoots',
    TYPES,
    'generated.ts',
  );
  const bundle = [...BUNDLE.split(' '), '--packages=external'];
  await step(ours('esbuild'), ...bundle, 'generated.ts', '--outfile=generated.mjs');
  await step(process.execPath, 'generated.mjs', origin);
  await writeFile(join(folder, 'strangers.mjs'), STRANGERS);
  await step(process.execPath, 'strangers.mjs', origin);
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

async function step(command: string, ...args: string[]): Promise<void> {
  const started = performance.now();
  await promisify(execFile)(command, args, { cwd: folder }).catch((error: StepError) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${seconds} s  ${basename(command)} ${args.join(' ').slice(0, 100)}`);
}

type StepError = Error & { stdout: string };
