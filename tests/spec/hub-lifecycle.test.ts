import assert from 'node:assert/strict';
import { createHmac, hash } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub } from '../support/hub.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

// Contract, sections 3 and 6: a test for each row of the table of states.

forEachEngine((engine) => {
  const open = (context: TestContext) => openTestHub(context, engine);

  test('pending verification: the exact challenge makes it active', async (context) => {
    const { subscribe, change, news, callbacks } = await open(context);
    await subscribe('/a?x=1&y=%2f&x=2');
    assert.deepEqual(news(), ['GET subscribe /a']);
    const [asked] = callbacks.requests;
    assert.match(asked!.path, /^\/a\?x=1&y=%2f&x=2&hub\.mode=subscribe&hub\.topic=/);
    const query = new URLSearchParams(asked!.path.split('?')[1]);
    assert.equal(query.get('hub.topic'), TOPICS.atom);
    assert.equal(query.get('hub.lease_seconds'), '864000');
    assert.match(query.get('hub.challenge')!, /^[\w-]{30,}$/);
    await change('the second');
    assert.deepEqual(news(), ['POST /a']);
  });

  for (const [name, status, body] of [
    ['a status that is not 2xx', 404, 'challenge'],
    ['a redirect', 302, 'challenge'],
    ['another body', 200, 'something else'],
    ['no body', 204, ''],
    ['more than the challenge', 200, 'challenge and more'],
    ['a challenge with a line end', 200, 'challenge\n'],
    ['more than 1 KiB', 200, 'x'.repeat(2000)],
  ] as const) {
    test(`pending verification: ${name} leaves nothing`, async (context) => {
      const { subscribe, change, news, callbacks, pass } = await open(context);
      callbacks.handle(({ path }, response) => {
        const challenge = new URL(path, 'https://x').searchParams.get('hub.challenge')!;
        response.writeHead(status, { location: '/b' }).end(body.replace('challenge', challenge));
      });
      await subscribe('/a');
      await change('the second');
      await pass(3600);
      assert.deepEqual(news(), ['GET subscribe /a']);
    });
  }

  test('active, changed: the whole content, with what WebSub asks for', async (context) => {
    const { subscribe, change, deliveries } = await open(context);
    await subscribe('/plain');
    await subscribe('/signed', { 'hub.secret': 'sesame' });
    await change('the second');
    const [plain] = deliveries('/plain');
    const [signed] = deliveries('/signed');
    const expected = Buffer.from('application/atom+xml the second\n');
    assert.deepEqual([plain!.body, signed!.body], [expected, expected]);
    const { headers } = plain!;
    assert.equal(headers['content-type'], 'application/atom+xml');
    assert.equal(headers['content-length'], String(expected.length));
    assert.equal(
      headers.link,
      `<https://reviews.example/api/websub/hub>; rel="hub", <${TOPICS.atom}>; rel="self"`,
    );
    assert.equal(headers.etag, `"${hash('sha256', expected, 'base64url')}"`);
    assert.equal(headers['content-digest'], `sha-256=:${hash('sha256', expected, 'base64')}:`);
    assert.equal(headers['x-hub-signature'], undefined);
    const mac = createHmac('sha256', 'sesame').update(expected).digest('hex');
    assert.equal(signed!.headers['x-hub-signature'], `sha256=${mac}`);
  });

  test('active, changed: only the subscribers of a topic whose bytes changed', async (context) => {
    const { subscribe, change, news } = await open(context);
    await subscribe('/atom');
    await subscribe('/json', { 'hub.topic': TOPICS.jsonFeed });
    await subscribe('/reviews', { 'hub.topic': TOPICS.reviews });
    news();
    await change(topicEdition('the first', { time: '2026-02-01T00:00:00Z' }));
    assert.deepEqual(news(), []);
    await change('the second');
    assert.deepEqual(news().sort(), ['POST /atom', 'POST /json', 'POST /reviews']);
    await change(topicEdition('the second', { only: '/reviews.json' }));
    assert.deepEqual(news().sort(), ['POST /atom', 'POST /json']);
  });

  for (const status of [200, 201, 202, 204, 299]) {
    test(`active, changed: ${status} acknowledges`, async (context) => {
      const { subscribe, change, news, callbacks, pass } = await open(context);
      await subscribe('/a');
      callbacks.handle((_, response) => response.writeHead(status).end());
      news();
      await change('the second');
      await pass(3600);
      assert.deepEqual(news(), ['POST /a']);
    });
  }

  test('a change between the request and its verification is delivered', async (context) => {
    const { send, change, settle, news, callbacks, deliveries, hub } = await open(context);
    let verify = () => {};
    callbacks.handle(({ path }, response) => {
      const challenge = new URL(path, 'https://x').searchParams.get('hub.challenge');
      verify = () => void response.end(challenge);
      if (challenge === null) response.end();
    });
    const callback = callbacks.url('/a');
    await send({ 'hub.mode': 'subscribe', 'hub.topic': TOPICS.atom, 'hub.callback': callback });
    await callbacks.waitFor(({ method }) => method === 'GET');
    const changed = change('the second');
    await hub.publish();
    verify();
    await changed;
    await settle();
    assert.deepEqual(news(), ['GET subscribe /a', 'POST /a']);
    assert.match(deliveries('/a')[0]!.body.toString(), /the second/);
  });

  test('a verified subscriber of what has not changed is sent nothing', async (context) => {
    const { subscribe, news, pass } = await open(context);
    await subscribe('/a');
    await pass(3600);
    assert.deepEqual(news(), ['GET subscribe /a']);
  });

  test('active, failed: again after 60 s, after 600 s, then removed and told', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    await subscribe('/a');
    callbacks.handle((_, response) => response.writeHead(500).end());
    news();
    await change('the second');
    assert.deepEqual(news(), ['POST /a']);
    await pass(59);
    assert.deepEqual(news(), []);
    await pass(1);
    assert.deepEqual(news(), ['POST /a']);
    await pass(599);
    assert.deepEqual(news(), []);
    await pass(1);
    assert.deepEqual(news(), ['POST /a', 'GET denied /a']);
    const denied = new URL(callbacks.url(callbacks.requests.at(-1)!.path)).searchParams;
    assert.equal(denied.get('hub.topic'), TOPICS.atom);
    assert.ok(denied.get('hub.reason'));
    await change('the third');
    await pass(3600);
    assert.deepEqual(news(), []);
  });

  test('active, failed: a success in between begins the count anew', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    await subscribe('/a');
    const failing = [true, true, false, true, true, false];
    callbacks.handle((_, response) => response.writeHead(failing.shift() ? 500 : 204).end());
    news();
    for (const version of ['the second', 'the third']) {
      await change(version);
      await pass(60);
      await pass(600);
      assert.deepEqual(news(), ['POST /a', 'POST /a', 'POST /a'], version);
    }
    await change('the fourth');
    assert.deepEqual(news(), ['POST /a']);
  });

  test('active, failed: a newer version goes at once, in the place of the older', async (context) => {
    const { subscribe, change, news, callbacks, pass, deliveries } = await open(context);
    await subscribe('/a');
    callbacks.handle((_, response) => response.writeHead(500).end());
    news();
    await change('the second');
    callbacks.handle((_, response) => response.end());
    await change('the third');
    assert.deepEqual(news(), ['POST /a', 'POST /a']);
    assert.match(deliveries('/a').at(-1)!.body.toString(), /the third/);
    await pass(3600);
    assert.deepEqual(news(), []);
  });

  test('active, failed: three versions in a row that fail remove it too', async (context) => {
    const { subscribe, change, news, callbacks } = await open(context);
    await subscribe('/a');
    callbacks.handle((_, response) => response.writeHead(503).end());
    news();
    for (const version of ['2', '3', '4', '5']) await change(version);
    assert.deepEqual(news(), ['POST /a', 'POST /a', 'POST /a', 'GET denied /a']);
  });

  test('active, 410: removed, without another word', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    await subscribe('/a');
    callbacks.handle((_, response) => response.writeHead(410).end());
    news();
    await change('the second');
    await change('the third');
    await pass(3600);
    assert.deepEqual(news(), ['POST /a']);
  });

  test('active, lease ends: nothing is sent after', async (context) => {
    const { subscribe, change, news, pass } = await open(context);
    await subscribe('/a', { 'hub.lease_seconds': '300' });
    await pass(299);
    await change('the second');
    assert.deepEqual(news(), ['GET subscribe /a', 'POST /a']);
    await pass(1);
    await change('the third');
    await pass(3600);
    assert.deepEqual(news(), []);
  });

  test('active, lease ends while a delivery waits to be tried again', async (context) => {
    const { subscribe, change, news, pass, callbacks } = await open(context);
    await subscribe('/a', { 'hub.lease_seconds': '300' });
    callbacks.handle((_, response) => response.writeHead(500).end());
    await change('the second');
    await pass(60);
    news();
    await pass(600);
    assert.deepEqual(news(), []);
  });

  for (const [asked, given] of [
    ['1', '300'],
    ['300', '300'],
    ['86400', '86400'],
    ['2592000', '2592000'],
    ['99999999999999999999', '2592000'],
  ]) {
    test(`a lease of ${asked} seconds is given ${given}`, async (context) => {
      const { subscribe, callbacks } = await open(context);
      await subscribe('/a', { 'hub.lease_seconds': asked! });
      const { searchParams } = new URL(callbacks.url(callbacks.requests[0]!.path));
      assert.equal(searchParams.get('hub.lease_seconds'), given);
    });
  }

  test('active, subscribed again: the lease and the secret are the new ones', async (context) => {
    const { subscribe, change, news, pass, deliveries } = await open(context);
    await subscribe('/a', { 'hub.lease_seconds': '300', 'hub.secret': 'old' });
    await pass(200);
    await subscribe('/a', { 'hub.lease_seconds': '300', 'hub.secret': 'new' });
    await pass(200);
    news();
    await change('the second');
    assert.deepEqual(news(), ['POST /a']);
    const [{ headers, body }] = deliveries('/a') as [ReturnType<typeof deliveries>[0]];
    const mac = createHmac('sha256', 'new').update(body).digest('hex');
    assert.equal(headers['x-hub-signature'], `sha256=${mac}`);
  });

  test('active, subscribed again: a failed verification changes nothing', async (context) => {
    const { subscribe, change, news, pass, callbacks, deliveries } = await open(context);
    await subscribe('/a', { 'hub.lease_seconds': '300', 'hub.secret': 'old' });
    callbacks.handle(({ method }, response) =>
      response.writeHead(method === 'GET' ? 404 : 204).end(),
    );
    await subscribe('/a', { 'hub.secret': 'new' });
    news();
    await change('the second');
    assert.deepEqual(news(), ['POST /a']);
    const [{ headers, body }] = deliveries('/a') as [ReturnType<typeof deliveries>[0]];
    const mac = createHmac('sha256', 'old').update(body).digest('hex');
    assert.equal(headers['x-hub-signature'], `sha256=${mac}`);
    await pass(300);
    await change('the third');
    assert.deepEqual(news(), []);
  });

  test('active, subscribed again: what was owed still is, once', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    await subscribe('/a');
    callbacks.handle(({ method, path }, response) => {
      const challenge = new URL(path, 'https://x').searchParams.get('hub.challenge');
      response.writeHead(method === 'GET' ? 200 : 500).end(challenge);
    });
    await change('the second');
    news();
    await subscribe('/a');
    callbacks.handle((_, response) => response.end());
    await pass(60);
    await pass(3600);
    assert.deepEqual(news(), ['GET subscribe /a', 'POST /a']);
  });

  test('active, unsubscribed: verified, it is removed', async (context) => {
    const { subscribe, change, news } = await open(context);
    await subscribe('/a');
    await subscribe('/a', { 'hub.mode': 'unsubscribe' });
    assert.deepEqual(news(), ['GET subscribe /a', 'GET unsubscribe /a']);
    await change('the second');
    assert.deepEqual(news(), []);
  });

  test('active, unsubscribed: not verified, it stays', async (context) => {
    const { subscribe, change, news, callbacks } = await open(context);
    await subscribe('/a');
    callbacks.handle(({ method }, response) =>
      response.writeHead(method === 'GET' ? 404 : 204).end(),
    );
    await subscribe('/a', { 'hub.mode': 'unsubscribe' });
    news();
    await change('the second');
    assert.deepEqual(news(), ['POST /a']);
  });

  test('none, unsubscribed: taken, and nobody is asked', async (context) => {
    const { subscribe, news } = await open(context);
    await subscribe('/a', { 'hub.mode': 'unsubscribe' });
    assert.deepEqual(news(), []);
  });

  test('requests of one callback are verified in the order they came', async (context) => {
    const { send, settle, change, news, callbacks } = await open(context);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    callbacks.handle(async ({ path }, response) => {
      await released;
      response.end(new URL(path, 'https://x').searchParams.get('hub.challenge'));
    });
    const callback = callbacks.url('/a');
    for (const mode of ['subscribe', 'unsubscribe']) {
      await send({ 'hub.mode': mode, 'hub.topic': TOPICS.atom, 'hub.callback': callback });
    }
    await callbacks.waitFor(() => true);
    release();
    await settle();
    assert.deepEqual(news(), ['GET subscribe /a', 'GET unsubscribe /a']);
    await change('the second');
    assert.deepEqual(news(), []);
  });

  test('one callback may have each topic, and one subscription of each', async (context) => {
    const { subscribe, change, news } = await open(context);
    for (const topic of [TOPICS.atom, TOPICS.reviews, TOPICS.atom]) {
      await subscribe('/a', { 'hub.topic': topic });
    }
    news();
    await change('the second');
    assert.deepEqual(news(), ['POST /a', 'POST /a']);
  });
});
