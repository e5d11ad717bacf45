import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { pingHub } from '../../src/build/ping-hub.ts';
import { hubUrl } from '../../src/build/settings.ts';
import { pingPersistently } from '../../src/commands/ping.ts';
import { freePort } from '../support/free-port.ts';

const SITE = 'https://reviews.example';

/** Starts a hub for the test on a free port. */
async function hub(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  context.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hub`;
}

test('posts a form that names all three topics', async (context) => {
  let received: { method?: string; type?: string; body: string } | undefined;
  const url = await hub(context, async (request, response) => {
    received = {
      method: request.method!,
      type: request.headers['content-type']!,
      body: await text(request),
    };
    response.writeHead(202).end();
  });
  await pingHub(url, SITE);
  assert.equal(received!.method, 'POST');
  assert.match(received!.type!, /^application\/x-www-form-urlencoded/);
  assert.deepEqual(
    [...new URLSearchParams(received!.body)],
    [
      ['hub.mode', 'publish'],
      ['hub.url', `${SITE}/feed.xml`],
      ['hub.url', `${SITE}/api/feed.json`],
      ['hub.url', `${SITE}/reviews.json`],
    ],
  );
});

test('says what a hub answered that did not take it', async (context) => {
  const url = await hub(context, (_, response) => response.writeHead(500).end('no'));
  await assert.rejects(pingHub(url, SITE), { name: 'PingError', message: `${url} answered 500` });
});

test('follows no redirect', async (context) => {
  let requests = 0;
  const url = await hub(context, (_, response) => {
    requests++;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  await assert.rejects(pingHub(url, SITE), /cannot be reached/);
  assert.equal(requests, 1);
});

test('says in one line that nobody listens', async (context) => {
  const url = await hub(context, () => {});
  const nobody = url.replace(/:\d+/, `:${await freePort()}`);
  await assert.rejects(pingHub(nobody, SITE), {
    message: `${nobody} cannot be reached: ECONNREFUSED`,
  });
});

test('says in one line that the connection broke', async (context) => {
  const url = await hub(context, (request) => request.socket.destroy());
  await assert.rejects(
    pingHub(url, SITE),
    /^PingError: http:\/\/127\.0\.0\.1:\d+\/hub cannot be reached: \S.*$/,
  );
});

test('does not wait for the end of a long answer', async (context) => {
  const url = await hub(context, (_, response) => {
    response.writeHead(202);
    response.write('still talking');
  });
  await pingHub(url, SITE);
});

test('pings the hub of the site, unless another is set', () => {
  assert.equal(hubUrl({}, SITE), `${SITE}/api/websub/hub`);
  assert.equal(hubUrl({ HUB_URL: '' }, SITE), `${SITE}/api/websub/hub`);
  assert.equal(hubUrl({ HUB_URL: 'https://hub.example/' }, SITE), 'https://hub.example/');
});

/** Pings a hub with the given responses, and records waits and messages. */
async function persist(context: TestContext, answers: [status: number, retryAfter?: string][]) {
  let attempts = 0;
  const url = await hub(context, (_, response) => {
    const [status, retryAfter] = answers[Math.min(attempts++, answers.length - 1)]!;
    response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end();
  });
  const waits: number[] = [];
  const lines: string[] = [];
  const outcome = await pingPersistently(
    () => pingHub(url, SITE),
    async (seconds) => waits.push(seconds),
    (line) => lines.push(line.replace(url, 'hub')),
  ).catch((error: Error) => error.message.replace(url, 'hub'));
  return { outcome, attempts, waits, lines };
}

test('pings again, ever later, while the hub is not up', async (context) => {
  assert.deepEqual(await persist(context, [[503], [502], [202]]), {
    outcome: undefined,
    attempts: 3,
    waits: [1, 4],
    lines: ['hub answered 503; again in 1 s', 'hub answered 502; again in 4 s'],
  });
});

test('waits for as long as the hub asks, within reason', async (context) => {
  assert.deepEqual((await persist(context, [[429, '30'], [202]])).waits, [30]);
  assert.deepEqual((await persist(context, [[429, '3600']])).waits, []);
});

test('gives up after four attempts, and at once where no other would help', async (context) => {
  const { outcome, attempts } = await persist(context, [[500]]);
  assert.equal(outcome, 'hub answered 500');
  assert.equal(attempts, 4);
  assert.equal((await persist(context, [[400]])).attempts, 1);
});
