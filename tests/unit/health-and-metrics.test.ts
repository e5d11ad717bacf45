import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveReadiness } from '../../sidecar/http/health.ts';
import { prometheus } from '../../sidecar/metrics/prometheus.ts';
import { editionFolder } from '../support/edition-folder.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { sampleApp } from '../support/targets.ts';

test('/healthz says that the process answers, /readyz what its parts say', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const { url, child, exited } = await startSidecar({ EDITION: source, DATA_DIR: dataDir });
  const health = await fetch(`${url}healthz`);
  assert.deepEqual([health.status, await health.json()], [200, { ok: true }]);
  const ready = await fetch(`${url}readyz`);
  assert.equal(ready.status, 200);
  assert.equal(ready.headers.get('cache-control'), 'no-store');
  const { ok, edition } = (await ready.json()) as { ok: boolean; edition: EditionPart };
  assert.equal(ok, true);
  assert.match(edition.edition, /^[\da-f]{16}$/);
  assert.ok(edition.age_seconds > 0);
  assert.ok(['adopted', 'unchanged'].includes(edition.last_refresh.outcome));
  assert.ok(edition.last_refresh.seconds_ago < 60);
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

test('requests are counted and timed by route and status, searches by door', async () => {
  const { meters, text } = prometheus();
  const app = await sampleApp({ meters });
  for (const path of [
    '/api/reviews/search?rating=5',
    '/api/reviews/search?rating=9',
    '/api/reviews/since/1970-01-01',
    '/reviews.json',
    '/nothing',
  ]) {
    await app.request(path);
  }
  const samples = samplesOf(await text());
  for (const [route, status] of [
    ['/api/reviews/search', 200],
    ['/api/reviews/search', 400],
    ['/api/reviews/since/:date', 200],
    ['/**', 200],
    ['/**', 404],
  ] as const) {
    const labels = `{route="${route}",status="${status}"}`;
    assert.equal(samples.get(`reviews_http_request_duration_seconds_count${labels}`), 1, labels);
  }
  assert.equal(samples.get('reviews_searches_total{door="http"}'), 2);
});

test('METRICS_PORT serves what Prometheus reads, about the edition and the event loop too', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const { url, lines, child, exited } = await startSidecar({
    EDITION: source,
    DATA_DIR: dataDir,
    METRICS_PORT: '0',
  });
  const metricsUrl = lines.find(({ message }) => message === 'metrics')!.url as string;
  const response = await fetch(metricsUrl);
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const samples = samplesOf(await response.text());
  const has = (name: string) => [...samples.keys()].some((key) => key.startsWith(name));
  assert.ok(samples.get('reviews_edition_age_seconds')! > 0);
  assert.ok(samples.get('reviews_edition_reviews')! > 0);
  assert.ok(has('reviews_edition_info{edition="'));
  assert.ok(has('reviews_edition_refresh_age_seconds{outcome="'));
  assert.ok(has('nodejs_eventloop_lag_p99_seconds'));
  assert.equal((await fetch(`${url}metrics`)).status, 404, 'the public port has none');
  assert.equal((await fetch(new URL('/', metricsUrl))).status, 404);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});

interface EditionPart {
  edition: string;
  age_seconds: number;
  last_refresh: { outcome: string; seconds_ago: number };
}

/** The values by name with labels. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))] as const;
    }),
  );
}
