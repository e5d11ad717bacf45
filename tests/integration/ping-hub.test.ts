import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { pingHub } from '../../src/build/ping-hub.ts';
import { hubUrl } from '../../src/build/settings.ts';
import { waitUntilServed } from '../../src/owner/commands/ping.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { Origin } from '../support/origin.ts';
import { serve } from '../support/serve.ts';

const SITE = 'https://reviews.example';

const hub = async (context: TestContext, listener: RequestListener) =>
  `${await serve(context, listener)}/hub`;

test('posts a form that names all three topics', async (context) => {
  let received = new Request(SITE);
  const url = await hub(context, async (request, response) => {
    const { method = '', headers } = request;
    const type = headers['content-type']!;
    received = new Request(SITE, { method, body: await text(request), headers: { type } });
    response.writeHead(202).end();
  });
  await pingHub(url, SITE);
  assert.equal(received.method, 'POST');
  assert.match(received.headers.get('type')!, /^application\/x-www-form-urlencoded/);
  const fields = new URLSearchParams(await received.text());
  const topics = ['feed.xml', 'api/feed.json', 'reviews.json'].map((path) => `${SITE}/${path}`);
  assert.deepEqual([fields.get('hub.mode'), fields.getAll('hub.url')], ['publish', topics]);
});

const FAILURES: [what: string, listener: RequestListener, message: RegExp][] = [
  ['an answer that is no success', (_, response) => response.writeHead(500).end(), /answered 500$/],
  [
    'a redirect, which it does not follow',
    ({ url }, response) => {
      assert.equal(url, '/hub');
      response.writeHead(307, { location: '/elsewhere' }).end();
    },
    /cannot be reached: \S.*$/,
  ],
  ['a connection that broke', ({ socket }) => socket.destroy(), /cannot be reached: \S.*$/],
];
for (const [what, listener, message] of FAILURES) {
  test(`says in one line, with the address: ${what}`, async (context) => {
    const url = await hub(context, listener);
    await assert.rejects(pingHub(url, SITE), (error: Error) => {
      assert.ok(error.message.startsWith(`${url} `));
      assert.match(error.message, message);
      return true;
    });
  });
}

test('says in one line that the hub does not listen', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/hub`;
  const message = `${nobody} cannot be reached: ECONNREFUSED`;
  await assert.rejects(pingHub(nobody, SITE), { message });
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

/** Starts a hub with these answers, the last one for ever, and pings it. */
async function pinged(context: TestContext, answers: [status: number, retryAfter?: string][]) {
  let attempts = 0;
  const url = await hub(context, (_, response) => {
    const [status, retryAfter] = answers[Math.min(attempts++, answers.length - 1)]!;
    response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end();
  });
  const started = performance.now();
  const outcome = await pingHub(url, SITE, 1).catch((error: Error) => error.message);
  return { outcome, attempts, url, seconds: (performance.now() - started) / 1000 };
}

test('pings again where that may help, after the time that the hub asks for', async (context) => {
  const { outcome, attempts } = await pinged(context, [[502], [202]]);
  assert.deepEqual([outcome, attempts], [undefined, 2]);
  const busy = await pinged(context, [[429, '2'], [202]]);
  assert.deepEqual([busy.outcome, busy.attempts], [undefined, 2]);
  assert.ok(busy.seconds >= 2);
});

test('gives up after its retries, and at once where none would help', async (context) => {
  const down = await pinged(context, [[503]]);
  assert.deepEqual([down.outcome, down.attempts], [`${down.url} answered 503`, 2]);
  const refused = await pinged(context, [[400]]);
  assert.deepEqual([refused.outcome, refused.attempts], [`${refused.url} answered 400`, 1]);
});

test('waits until the sidecar serves the edition, and names what it serves instead', async (context) => {
  const folder = await temporaryFolder(context);
  const site = await temporaryFolder(context);
  const origin = await Origin.start(context, site);
  const write = (where: string, name: string, document: object) =>
    writeFile(join(where, name), JSON.stringify(document));
  await write(folder, 'edition.json', { edition: 'new' });
  await write(site, 'edition.json', { edition: 'old' });
  const notYet = (message: RegExp) =>
    assert.rejects(waitUntilServed(folder, origin.url, 0), message);
  await notYet(/serves edition old after 0 s, not edition new: its log says why$/);
  await write(folder, 'edition-signature.json', { sequence: 20260601120000 });
  await notYet(/serves nothing after 0 s/);
  await write(site, 'edition-signature.json', { sequence: 11 });
  await notYet(/serves edition number 11 after 0 s, not edition number 20260601120000/);
  const waiting = waitUntilServed(folder, origin.url, 60);
  await write(site, 'edition-signature.json', { sequence: 20260601120000 });
  assert.equal(await waiting, 'edition number 20260601120000');
  await origin.die();
  await notYet(/serves nothing \(.*ECONNREFUSED/);
});
