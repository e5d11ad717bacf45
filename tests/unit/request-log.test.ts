import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLogger, type Level } from '../../sidecar/base/log.ts';
import { listen } from '../../sidecar/server.ts';
import type { Edition } from '../../sidecar/edition/edition.ts';
import { exchange } from '../support/http.ts';
import { sampleApp } from '../support/targets.ts';
import type { LogLine } from '../support/sidecar-process.ts';

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/;

test('a request is one line: time, level, message, id, method, path, status, milliseconds', async () => {
  const { app, lines } = await loggedApp();
  const response = await app.request('/api/reviews/search?query=private+words', {
    headers: { authorization: 'Bearer s3cret', cookie: 'a=s3cret' },
  });
  const [line, ...others] = lines;
  assert.deepEqual(others, []);
  const { time, ms, id, ...rest } = line!;
  assert.deepEqual(rest, {
    level: 'info',
    message: 'request',
    method: 'GET',
    path: '/api/reviews/search',
    status: 200,
  });
  assert.equal(new Date(time as string).toISOString(), time);
  assert.ok((ms as number) >= 0);
  assert.equal(id, response.headers.get('x-request-id'));
  assert.match(id as string, UUID);
});

test('no line has a query, an address or a header of the client', async () => {
  const { app, lines } = await loggedApp();
  const headers = { authorization: 's3cret', cookie: 's3cret', 'x-forwarded-for': '192.0.2.9' };
  for (const path of ['/', '/api/reviews/search?query=s3cret', '/nothing?key=s3cret']) {
    await app.request(path, { headers });
  }
  assert.equal(lines.length, 3);
  assert.doesNotMatch(JSON.stringify(lines), /s3cret|192\.0\.2\.9/);
});

test('a well-formed X-Request-Id is taken over, any other is not', async () => {
  const { app, lines } = await loggedApp();
  const idOf = async (given: string) => {
    const response = await app.request('/reviews.json', { headers: { 'x-request-id': given } });
    const id = response.headers.get('x-request-id');
    assert.equal(lines.at(-1)!.id, id);
    return id!;
  };
  for (const given of ['a', '4bf92f3577b34da6', '1-67891233:abc.def_']) {
    assert.equal(await idOf(given), given);
  }
  for (const given of ['', 'two words', 'a"b', 'x'.repeat(129), '<b>', 'a,b']) {
    assert.match(await idOf(given), UUID, given);
  }
});

test('a client that leaves in the middle of its request to the hub is no failure', async () => {
  const { app, lines } = await loggedApp();
  const body = new ReadableStream({ start: (stream) => stream.error(new Error('aborted')) });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const init = { method: 'POST', headers, body, duplex: 'half' as const };
  const { status } = await app.request('/api/websub/hub', init);
  assert.equal(status, 400);
  assert.deepEqual(
    lines.map(({ level, message, status }) => [level, message, status]),
    [['info', 'request', 400]],
  );
});

test('every kind of answer has the id: found, not modified, refused, missing, failed', async () => {
  const { app } = await loggedApp();
  const etag = (await app.request('/reviews.json')).headers.get('etag')!;
  for (const [path, init, status] of [
    ['/reviews.json', {}, 200],
    ['/reviews.json', { headers: { 'if-none-match': etag } }, 304],
    ['/reviews.json', { method: 'HEAD' }, 200],
    ['/reviews.json', { method: 'POST' }, 405],
    ['/reviews.json', { method: 'OPTIONS' }, 204],
    ['/api/reviews/search?rating=9', {}, 400],
    ['/nothing', {}, 404],
    ['/%zz', {}, 400],
  ] as const) {
    const response = await app.request(path, init);
    assert.equal(response.status, status);
    assert.match(response.headers.get('x-request-id')!, UUID, `${status}`);
  }
});

test('a failure is logged with the id of the request and hidden from the client', async () => {
  const { logger, lines } = recorder('info');
  const files = {
    get: () => undefined,
    has: () => {
      throw new Error('the cause');
    },
  };
  const app = await sampleApp({ logger, edition: () => ({ files }) as unknown as Edition });
  const response = await app.request('/reviews.json');
  assert.equal(response.status, 500);
  const failed = lines.find(({ level }) => level === 'error')!;
  assert.equal(failed.id, response.headers.get('x-request-id'));
  assert.match(failed.error as string, /the cause/);
  assert.doesNotMatch(await response.text(), /the cause/);
  assert.equal(lines.find(({ message }) => message === 'request')!.status, 500);
});

for (const [trustProxy, warnings] of [
  [false, 1],
  ['loopback', 0],
] as const) {
  test(`X-Forwarded-For while TRUST_PROXY is ${trustProxy} gives ${warnings} warnings`, async (context) => {
    const { logger, lines } = recorder('warn');
    const address = { port: 0, host: '127.0.0.1', trustProxy, requestSeconds: 30 };
    const server = await listen(await sampleApp(), address, logger);
    context.after(() => server.close());
    await exchange(server.url, '/robots.txt');
    assert.deepEqual(lines, []);
    for (let round = 0; round < 3; round++) {
      await exchange(server.url, '/robots.txt', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    }
    assert.equal(lines.length, warnings);
    for (const { message } of lines) assert.match(message, /TRUST_PROXY/);
  });
}

async function loggedApp() {
  const { logger, lines } = recorder('info');
  return { app: await sampleApp({ logger }), lines };
}

function recorder(least: Level) {
  const lines: LogLine[] = [];
  const logger = jsonLogger(least, (line) => lines.push(JSON.parse(line) as LogLine));
  return { logger, lines };
}
