import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { H3 } from 'h3';
import type { Edition } from '../../sidecar/edition/edition.ts';
import { errorBody } from '../../src/schema/error.ts';
import { reviewPath } from '../../src/paths.ts';
import { exchange } from '../support/http.ts';
import { doorOf, post, request } from '../support/mcp.ts';
import { openSampleFolder, sampleApp, serveSample } from '../support/targets.ts';

// Contract, section 8, as DESIGN decides it: searches, and bytes, a minute per client address.

const SEARCH = '/api/reviews/search';
/** Their work must take less than the second after which searches are refused. */
const SEARCHES_OF_EACH = 20;

/** Returns the sample edition, each search of which takes its time. */
async function costlyEdition(take: () => void): Promise<() => Edition> {
  const opened = await openSampleFolder();
  const search = () => {
    take();
    return opened.search;
  };
  const costly: Edition = Object.create(opened, { search: { get: search } });
  return () => costly;
}

test('one search too many is 429, until Retry-After is over', async () => {
  let now = 0;
  const app = await sampleApp({ searchRate: 3, now: () => now });
  const statusOf = async () => (await app.request(SEARCH)).status;
  assert.deepEqual([await statusOf(), await statusOf(), await statusOf()], [200, 200, 200]);

  const refused = await app.request(SEARCH);
  assert.equal(refused.status, 429);
  assert.equal(errorBody.parse(await refused.json()).error, 'rate_limited');
  assert.equal(refused.headers.get('cache-control'), 'no-store');
  const seconds = refused.headers.get('retry-after')!;
  assert.match(seconds, /^[1-9]\d*$/);

  now += Number(seconds) * 1000;
  assert.equal(await statusOf(), 200);
  assert.equal(await statusOf(), 429);
});

for (const [path, status, type] of [
  ['/search/', 200, 'text/html; charset=utf-8'],
  [reviewPath('0'.repeat(26)), 404, 'text/html; charset=utf-8'],
] as const) {
  test(`${path}, which is computed, counts as a search`, async () => {
    const app = await sampleApp({ searchRate: 1, now: () => 0 });
    assert.equal((await app.request(path)).status, status);
    const { status: refused, headers } = await app.request(path);
    const fields = ['retry-after', 'content-type'].map((name) => headers.get(name));
    assert.deepEqual([refused, ...fields], [429, '60', type]);
    assert.equal((await app.request(SEARCH)).status, 429);
    assert.equal((await app.request('/')).status, 200, 'a file');
  });
}

const asTool = (app: H3) =>
  post(doorOf(app), request('tools/call', { name: 'search', arguments: { query: 'e a' } }));

test('health checks and files do not wait for costly searches, pages and tool calls', async () => {
  let now = 0;
  const edition = await costlyEdition(() => (now += 6)); // more than a turn may take
  const app = await sampleApp({ edition, mcpOptions: { edition }, now: () => now });
  const read = async (path: string) => assert.equal((await app.request(path)).status, 200, path);
  const paths = ['/healthz', '/robots.txt', '/reviews.json', '/feed.xml'];
  for (const path of paths) await read(path); // into memory, because the disk may be slow
  let searched = 0;
  const kinds = [
    () => app.request(`${SEARCH}?query=e%20a`),
    () => app.request('/search/?query=e%20a'),
    () => asTool(app),
  ];
  const clients = Array.from({ length: 4 * SEARCHES_OF_EACH }, async (_, at) => {
    assert.equal((await kinds[at % kinds.length]!()).status, 200);
    searched++;
  });
  for (const path of paths) {
    await read(path);
    const left = clients.length - searched;
    assert.ok(left > clients.length / 2, `${left} searches wait when ${path} is read`);
  }
  await Promise.all(clients);
});

test('computing counts for a client, not only its requests', async () => {
  let now = 0;
  const edition = await costlyEdition(() => (now += 30));
  const limits = { searchRate: 10, now: () => now };
  const app = await sampleApp({ edition, mcpOptions: { edition }, ...limits });
  const statuses: number[] = [];
  for (let asked = 0; asked < 5; asked++) {
    statuses.push((await asTool(app)).status, (await app.request(SEARCH)).status);
  }
  assert.deepEqual(statuses.slice(0, 2), [200, 200]);
  assert.deepEqual(statuses.slice(-2), [429, 429]);
  const refused = await asTool(app);
  assert.match(refused.headers.get('retry-after')!, /^[1-9]\d*$/);
  assert.equal(refused.body!.error!.code, -32000);
  assert.equal((await app.request('/reviews.json')).status, 200);
});

test('bytes of files, ranges and listings count together, whatever they are encoded in', async () => {
  let now = 0;
  const app = await sampleApp({ downloadRate: 1_000_000, now: () => now });
  const read = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await app.request(path, { headers, method });
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  };
  const gzip = { 'accept-encoding': 'gzip' };
  const asked = ['/reviews.json', '/api/reviews/since/1970-01-01', '/api/reviews/since/0001-01-01'];
  let sent = 0;
  for (let round = 0; ; round++) {
    const headers = [{}, gzip, { range: 'bytes=0-99999' }][round % 3]!;
    const { status, bytes } = await read(asked[round % asked.length]!, headers);
    if (status === 429) break;
    assert.ok(round < 100, 'there is no limit');
    sent += bytes;
  }
  assert.ok(sent > 500_000 && sent <= 1_000_000, `${sent} bytes were sent`);
  for (const path of asked) assert.equal((await read(path)).status, 429, path);
  assert.equal((await read('/reviews.json', {}, 'HEAD')).status, 200);
  const { headers } = await app.request('/reviews.json', { method: 'HEAD' });
  const unchanged = await read('/reviews.json', { 'if-none-match': headers.get('etag')! });
  assert.equal(unchanged.status, 304);
  assert.equal((await app.request(SEARCH)).status, 200);
  now += 60_000;
  assert.equal((await read('/reviews.json')).status, 200);
});

test('a client does not become another by X-Forwarded-For', async (context) => {
  const url = await serveSample(context, { searchRate: 1, now: () => 0 });
  const statusFrom = async (address: string) => {
    const headers = { 'x-forwarded-for': address, forwarded: `for=${address}` };
    return (await exchange(url, SEARCH, { headers })).status;
  };
  assert.deepEqual([await statusFrom('192.0.2.1'), await statusFrom('192.0.2.2')], [200, 429]);
});
