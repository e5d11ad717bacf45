import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { hubUrl, pingHub } from '../../src/integrations/ping-hub.ts';

const SITE = 'https://reviews.example';

/** A hub of the test's own on a free port. */
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
  await assert.rejects(pingHub(url, SITE), { message: `${url} answered 500` });
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
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const nobody = url.replace(/:\d+/, `:${port}`);
  await assert.rejects(pingHub(nobody, SITE), {
    message: `${nobody} cannot be reached: ECONNREFUSED`,
  });
});

test('says in one line that the connection broke', async (context) => {
  const url = await hub(context, (request) => request.socket.destroy());
  await assert.rejects(
    pingHub(url, SITE),
    /^Error: http:\/\/127\.0\.0\.1:\d+\/hub cannot be reached: \S.*$/,
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
