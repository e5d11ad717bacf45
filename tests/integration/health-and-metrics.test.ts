import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveReadiness, createPageCheck } from '../../sidecar/http/health.ts';
import { prometheus } from '../../sidecar/metrics/prometheus.ts';
import { recorder } from '../support/edition.ts';
import { editionFolder, openCurrent } from '../support/edition-folder.ts';
import { eventually } from '../support/eventually.ts';
import { exchange } from '../support/http.ts';
import { doorOf, post, request } from '../support/mcp.ts';
import { samplesOf } from '../support/samples.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { sampleApp, serveSample } from '../support/targets.ts';

const DURATION = 'reviews_http_request_duration_seconds';

/** Waits for the hub's code, which a busy machine may load more slowly than /readyz waits. */
async function hubIsLoaded(url: string): Promise<void> {
  assert.equal((await fetch(`${url}api/websub/hub`)).status, 405);
}

test('health, the state of parts, and metrics on a port of their own, over IPv6', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const env = { EDITION: source, DATA_DIR: dataDir, METRICS_PORT: '0', HOST: '::1' };
  const { url, lines, child, exited } = await startSidecar(env, context);
  const health = await fetch(`${url}healthz`);
  assert.deepEqual([health.status, await health.json()], [200, { ok: true }]);
  await hubIsLoaded(url);
  const ready = await fetch(`${url}readyz`);
  assert.deepEqual([ready.status, ready.headers.get('cache-control')], [200, 'no-store']);
  const { ok, edition, store } = await ready.json();
  assert.deepEqual([ok, store], [true, { ok: true, engine: 'sqlite' }]);
  assert.match(edition.edition, /^[\da-f]{16}$/);
  assert.ok(edition.age_seconds > 0);
  assert.ok(['adopted', 'unchanged'].includes(edition.last_refresh.outcome));
  assert.ok(edition.last_refresh.seconds_ago < 60);
  assert.ok(edition.seconds_since_success < 60);

  const metricsUrl = lines.find(({ message }) => message === 'metrics')!.url as string;
  const response = await fetch(metricsUrl);
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const samples = samplesOf(await response.text());
  const has = (name: string) => [...samples.keys()].some((key) => key.startsWith(name));
  assert.ok(samples.get('reviews_edition_age_seconds')! > 0);
  assert.ok(samples.get('reviews_edition_reviews')! > 0);
  assert.ok(has('reviews_edition_info{edition="'));
  assert.ok(has('reviews_edition_refresh_age_seconds{outcome="'));
  assert.ok(samples.get('reviews_edition_success_age_seconds')! < 60);
  assert.equal(samples.get('reviews_hub_store_up'), 1);
  assert.ok(has('reviews_hub_subscriptions{topic="'));
  assert.ok(has('nodejs_eventloop_lag_p99_seconds'));
  assert.equal((await fetch(`${url}metrics`)).status, 404, 'the public port has none');
  assert.equal((await fetch(new URL('/', metricsUrl))).status, 404);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});

test('one part that cannot work takes the process out of service', async () => {
  const fine = () => ({ ok: true });
  for (const part of [
    () => ({ ok: false, reason: 'no connection' }),
    () => Promise.reject(new Error('password=hunter2')),
    () => new Promise<never>(() => {}),
  ]) {
    const response = await serveReadiness({ fine, part });
    assert.equal(response.status, 503);
    const text = await response.text();
    const body = JSON.parse(text) as Record<string, { ok: boolean }>;
    assert.deepEqual([body.ok, body.fine!.ok, body.part!.ok], [false, true, false]);
    assert.doesNotMatch(text, /hunter2/);
  }
});

test('an edition whose pages cannot be rendered is not ready, and its reason is in the log', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const edition = (await openCurrent(source, dataDir)).get();
  await edition.index();
  const { logger, lines } = recorder('error');
  const render = async () => {
    if (rendered++ === 0) throw new TypeError('a label is missing');
    return Buffer.from('a page');
  };
  let rendered = 0;
  const pages = createPageCheck(render, logger);
  await pages.look(edition);
  const reason = 'a page of this edition cannot be rendered: see the log';
  assert.deepEqual(pages.result(), { ok: false, reason });
  assert.match(String(lines[0]!.error), /TypeError: a label is missing/);
  await pages.look(edition);
  assert.equal(rendered, 1, 'each edition is rendered once');
  await pages.look({ ...edition, digest: 'another' });
  assert.deepEqual(pages.result(), { ok: true });
});

test('requests are counted and timed by route and status, searches by interface', async (context) => {
  const { meters, text } = prometheus();
  const url = await serveSample(context, { meters }, { meters });
  for (const path of [
    '/api/reviews/search?rating=5',
    '/api/reviews/search?rating=9',
    '/api/reviews/since/1970-01-01',
    '/reviews.json',
    '/nothing',
  ]) {
    await exchange(url, path);
  }
  const counted = async () =>
    [...samplesOf(await text())].filter(([name]) => name.startsWith(`${DURATION}_count`));
  await eventually(async () => (await counted()).length === 5);
  const samples = samplesOf(await text());
  for (const [route, status] of [
    ['/api/reviews/search', 200],
    ['/api/reviews/search', 400],
    ['/api/reviews/since/:date', 200],
    ['/**', 200],
    ['/**', 404],
  ] as const) {
    const labels = `{route="${route}",status="${status}"}`;
    assert.equal(samples.get(`${DURATION}_count${labels}`), 1, labels);
  }
  assert.equal(samples.get('reviews_searches_total{interface="http"}'), 2);
});

test('MCP calls are counted by tool and outcome, and searches by interface', async () => {
  const { meters, text } = prometheus();
  const app = await sampleApp({ meters, mcpOptions: { meters } });
  const door = doorOf(app);
  const call = (name: string, args: object = {}) =>
    post(door, request('tools/call', { name, arguments: args }));
  await call('search_reviews', { query: 'heater' });
  await call('search_reviews', { rating: 9 });
  await call('get_summary');
  await call('get_insight', { name: 'nobody of this name' });
  await call('hunter2');
  await app.request('/api/reviews/search');
  await app.request('/search/?query=heater');
  const samples = samplesOf(await text());
  const calls = [...samples].filter(([name]) => name.startsWith('reviews_mcp_calls_total'));
  assert.deepEqual(Object.fromEntries(calls), {
    'reviews_mcp_calls_total{tool="search_reviews",outcome="answered"}': 1,
    'reviews_mcp_calls_total{tool="search_reviews",outcome="tool_error"}': 1,
    'reviews_mcp_calls_total{tool="get_summary",outcome="answered"}': 1,
    'reviews_mcp_calls_total{tool="get_insight",outcome="tool_error"}': 1,
    'reviews_mcp_calls_total{tool="unknown",outcome="refused"}': 1,
  });
  const searches = [...samples].filter(([name]) => name.startsWith('reviews_searches_total'));
  assert.deepEqual(Object.fromEntries(searches), {
    'reviews_searches_total{interface="http"}': 1,
    'reviews_searches_total{interface="page"}': 1,
    'reviews_searches_total{interface="mcp"}': 2,
  });
});
