import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { Edition } from '../../sidecar/edition/edition.ts';
import { recorder } from '../support/edition.ts';
import { eventually, realTime } from '../support/eventually.ts';
import { exchange, type RequestOptions } from '../support/http.ts';
import { serveSample, type SampleOptions } from '../support/targets.ts';

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/;

test('a request is one line: time, level, message, id, method, path, status, milliseconds', async (context) => {
  const { ask, lines } = await loggedServer(context);
  const { response, line } = await ask('/api/reviews/search?query=private+words', {
    headers: { authorization: 's3cret', cookie: 's3cret', 'x-forwarded-for': '192.0.2.9' },
  });
  assert.equal(lines.filter(({ message }) => message === 'request').length, 1);
  assert.doesNotMatch(JSON.stringify(lines), /private|s3cret|192\.0\.2\.9/);
  const { time, ms, id, ...rest } = line;
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

test('a path in a line is cut at 2 KB', async (context) => {
  const { ask } = await loggedServer(context);
  for (const [path, logged] of [
    [`/${'a'.repeat(2046)}?${'b'.repeat(3000)}`, `/${'a'.repeat(2046)}`],
    [`/${'a'.repeat(8000)}`, `/${'a'.repeat(2047)}`],
  ] as const) {
    const { line } = await ask(path);
    assert.equal(line.path, logged);
  }
});

test('a well-formed X-Request-Id is taken over, any other is not', async (context) => {
  const { ask } = await loggedServer(context);
  const idOf = async (given: string) => {
    const { response, line } = await ask('/robots.txt', { headers: { 'x-request-id': given } });
    const id = response.headers.get('x-request-id');
    assert.equal(line.id, id);
    return id!;
  };
  for (const given of ['a', '4bf92f3577b34da6', '1-67891233:abc.def_']) {
    assert.equal(await idOf(given), given);
  }
  for (const given of ['', 'two words', 'a"b', 'x'.repeat(129), '<b>', 'a,b']) {
    assert.match(await idOf(given), UUID, given);
  }
});

test('a client that leaves in the middle of its request is no failure', async (context) => {
  const { url, lines } = await loggedServer(context);
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99';
  for (const [leave, expected] of [
    [(socket: Socket) => socket.end(), { status: 400, reason: 'HPE_INVALID_EOF_STATE' }],
    [(socket: Socket) => socket.resetAndDestroy(), { cut: true }],
  ] as const) {
    const before = lines.length;
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.resume().on('error', () => {});
    socket.write(`POST /api/websub/hub HTTP/1.1\r\nHost: a\r\n${form}\r\n\r\nhub.`);
    await realTime(50); // until the server has the head; before that there is no request to abandon
    leave(socket);
    await eventually(() => lines.length > before);
    const { time: _, ms: __, id: ___, ...rest } = lines.at(-1)!;
    const request = { method: 'POST', path: '/api/websub/hub' };
    assert.deepEqual(rest, { level: 'info', message: 'request', ...request, ...expected });
  }
});

test('every kind of answer has the id: found, not modified, refused, missing, failed', async (context) => {
  const { ask } = await loggedServer(context);
  const etag = (await ask('/reviews.json')).response.headers.get('etag')!;
  for (const [path, init, status] of [
    ['/reviews.json', {}, 200],
    ['/reviews.json', { headers: { 'if-none-match': etag } }, 304],
    ['/reviews.json', { method: 'HEAD' }, 200],
    ['/reviews.json', { method: 'POST' }, 405],
    ['/reviews.json', { method: 'OPTIONS' }, 204],
    ['/reviews.json', { headers: { host: 'a@b' } }, 400],
    ['/reviews.json', { headers: { expect: 'the unexpected' } }, 200],
    ['/api/reviews/search?rating=9', {}, 400],
    ['/nothing', {}, 404],
    ['/%zz', {}, 400],
  ] as const) {
    const { response, line } = await ask(path, init);
    assert.deepEqual([response.status, line.status], [status, status]);
    assert.match(line.id as string, UUID, path);
    assert.equal(response.headers.get('x-request-id'), line.id, `${status}`);
  }
});

test('a failure is logged with the id of the request and hidden from the client', async (context) => {
  const has = () => {
    throw new Error('the cause');
  };
  const edition = () => ({ files: { get: () => undefined, has } }) as unknown as Edition;
  const { ask, lines } = await loggedServer(context, { edition });
  const { response, line } = await ask('/reviews.json');
  assert.deepEqual([response.status, line.status], [500, 500]);
  const failed = lines.find(({ level }) => level === 'error')!;
  assert.equal(failed.id, response.headers.get('x-request-id'));
  assert.match(failed.error as string, /the cause/);
  assert.doesNotMatch(await response.text(), /the cause/);
});

const PROXIED = { headers: { 'x-forwarded-for': '192.0.2.1' } };

for (const [trustProxy, warnings] of [
  [false, 1],
  ['loopback', 0],
] as const) {
  test(`X-Forwarded-For while TRUST_PROXY is ${trustProxy} gives ${warnings} warnings`, async (context) => {
    const { logger, lines } = recorder('warn');
    const url = await serveSample(context, {}, { logger, trustProxy });
    await exchange(url, '/robots.txt');
    assert.deepEqual(lines, []);
    for (let round = 0; round < 3; round++) await exchange(url, '/robots.txt', PROXIED);
    assert.equal(lines.length, warnings);
    for (const { message } of lines) assert.match(message, /TRUST_PROXY/);
  });
}

test('another host than the links lead to is named once, if a trusted proxy asks for it', async (context) => {
  const { logger, lines } = recorder('warn');
  const site = { manifest: { base_url: 'https://reviews.example/our' } };
  const url = await serveSample(context, {}, { logger, trustProxy: 'loopback', site });
  const askFor = (host: string, init: RequestOptions = PROXIED) =>
    exchange(url, '/robots.txt', { headers: { ...init.headers, host } });
  await askFor('other.example', {});
  await askFor('reviews.example:8080');
  assert.deepEqual(lines, []);
  for (let round = 0; round < 3; round++) await askFor('other.example');
  const named = lines.map(({ host, links }) => [host, links]);
  assert.deepEqual(named, [['other.example', 'https://reviews.example']]);
});

/** Starts a server and returns its log lines, and responses with the line of their request. */
async function loggedServer(context: TestContext, options: SampleOptions = {}) {
  const { logger, lines } = recorder('info');
  const url = await serveSample(context, { logger, ...options }, { logger });
  const requests = () => lines.filter(({ message }) => message === 'request');
  const ask = async (path: string, init?: RequestOptions) => {
    const before = requests().length;
    const response = await exchange(url, path, init);
    await eventually(() => requests().length > before); // written when the response is sent
    return { response, line: requests().at(-1)! };
  };
  return { url, lines, ask };
}
