import assert from 'node:assert/strict';
import { createHmac, hash } from 'node:crypto';
import { test } from 'node:test';
import { variantETag } from '../../src/edition/conditional.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { subscriber } from '../support/callback-server.ts';
import { openTestHub } from '../support/hub.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

// Contract, sections 3 and 6, over HTTPS. tests/integration/hub-store.test.ts runs on both databases.

test('pending verification: the exact challenge makes it active', async (context) => {
  const { subscribe, change, news, callbacks } = await openTestHub(context);
  await subscribe('/a?x=1&y=%2f&x=2');
  assert.deepEqual(news(), ['GET subscribe /a'], 'what has not changed is not sent');
  const [asked] = callbacks.requests;
  assert.match(asked!.path, /^\/a\?x=1&y=%2f&x=2&hub\.mode=subscribe&hub\.topic=/);
  const query = new URLSearchParams(asked!.path.split('?')[1]);
  assert.equal(query.get('hub.topic'), TOPICS.atom);
  assert.equal(query.get('hub.lease_seconds'), '864000');
  assert.match(query.get('hub.challenge')!, /^[+\-./\d=A-Z_a-z]{30,}$/);
  await change('the second');
  assert.deepEqual(news(), ['POST /a']);
});

test('pending verification: anything but the exact challenge leaves nothing', async (context) => {
  const { subscribe, change, news, callbacks, pass } = await openTestHub(context);
  const answers: Record<string, (challenge: string) => [status: number, body: string]> = {
    '/not-2xx': (challenge) => [404, challenge],
    '/redirect': (challenge) => [302, challenge],
    '/other': () => [200, 'something else'],
    '/nothing': () => [204, ''],
    '/more': (challenge) => [200, `${challenge} and more`],
    '/line-end': (challenge) => [200, `${challenge}\n`],
    '/long': () => [200, 'x'.repeat(2000)],
  };
  callbacks.handle(({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'https://x');
    const [status, body] = answers[pathname]!(searchParams.get('hub.challenge')!);
    response.writeHead(status, { location: '/elsewhere' }).end(body);
  });
  for (const path of Object.keys(answers)) await subscribe(path);
  assert.equal(news().length, 7);
  await change('the second');
  await pass(3600);
  assert.deepEqual(news(), []);
});

test('pending verification: nobody there is asked again after 5 s, 30 s and 5 min', async (context) => {
  const { subscribe, change, news, callbacks, pass } = await openTestHub(context);
  callbacks.handle((_, response) => response.destroy());
  for (const path of ['/starting', '/gone']) await subscribe(path);
  await pass(4);
  news();
  await change('the second');
  callbacks.handle((request, response) =>
    request.path.startsWith('/gone') ? response.destroy() : subscriber(request, response),
  );
  await pass(1);
  const asked = ['GET subscribe /gone', 'GET subscribe /starting', 'POST /starting'];
  assert.deepEqual(news().toSorted(), asked, 'the change since the request is sent');
  for (const seconds of [30, 300]) {
    await pass(seconds);
    const tries = new Set(news()); // a connection that is kept and breaks is replaced by a new one
    assert.deepEqual([...tries], ['GET subscribe /gone']);
  }
  await pass(3600);
  assert.deepEqual(news(), []);
});

test('active, changed: the whole content, with what WebSub asks for', async (context) => {
  const { subscribe, change, deliveries } = await openTestHub(context);
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
  const hub = 'https://reviews.example/api/websub/hub';
  assert.equal(headers.link, `<${TOPICS.atom}>; rel="self", <${hub}>; rel="hub"`);
  assert.equal(headers.etag, `"${hash('sha256', expected, 'base64url')}"`);
  assert.equal(headers['content-digest'], `sha-256=:${hash('sha256', expected, 'base64')}:`);
  assert.equal(headers['x-hub-signature'], undefined);
  const mac = createHmac('sha256', 'sesame').update(expected).digest('hex');
  assert.equal(signed!.headers['x-hub-signature'], `sha256=${mac}`);
});

test('active, changed: each topic has subscribers of its own, who hear of its changes', async (context) => {
  const { subscribe, change, news } = await openTestHub(context);
  for (const topic of [TOPICS.atom, TOPICS.reviews, TOPICS.atom]) {
    await subscribe('/both', { 'hub.topic': topic });
  }
  await subscribe('/json', { 'hub.topic': TOPICS.jsonFeed });
  news();
  await change(topicEdition('the first', { time: '2026-02-01T00:00:00Z' }));
  assert.deepEqual(news(), []);
  await change('the second');
  assert.deepEqual(news().sort(), ['POST /both', 'POST /both', 'POST /json']);
  await change(topicEdition('the second', { only: '/reviews.json' }));
  assert.deepEqual(news().sort(), ['POST /both', 'POST /json']);
});

test('active, changed: any 2xx acknowledges', async (context) => {
  const { subscribe, change, news, callbacks, pass } = await openTestHub(context);
  const paths = ['/200', '/201', '/202', '/204', '/299'];
  for (const path of paths) await subscribe(path);
  callbacks.handle(({ path }, response) => response.writeHead(Number(path.slice(1))).end());
  news();
  await change('the second');
  await pass(3600);
  const once = paths.map((path) => `POST ${path}`);
  assert.deepEqual(news().sort(), once);
});

test('active, failed: again after 60 s, after 600 s, then removed and told', async (context) => {
  const { subscribe, change, news, callbacks, pass } = await openTestHub(context);
  await subscribe('/a');
  callbacks.handle((_, response) => response.writeHead(500).end());
  news();
  await change('the second');
  assert.deepEqual(news(), ['POST /a']);
  for (const [wait, heard] of [
    [60, ['POST /a']],
    [600, ['POST /a', 'GET denied /a']],
  ] as const) {
    await pass(wait - 1);
    assert.deepEqual(news(), []);
    await pass(1);
    assert.deepEqual(news(), heard);
  }
  const denied = new URL(callbacks.url(callbacks.requests.at(-1)!.path)).searchParams;
  assert.equal(denied.get('hub.topic'), TOPICS.atom);
  assert.match(denied.get('hub.reason')!, /: 500$/);
  await change('the third');
  await pass(3600);
  assert.deepEqual(news(), []);
});

test('active, failed: a newer version takes the place of the older, at its time', async (context) => {
  const { subscribe, change, news, callbacks, pass, deliveries } = await openTestHub(context);
  await subscribe('/a');
  callbacks.handle((_, response) => response.writeHead(503).end());
  news();
  for (const version of ['2', '3', '4', '5']) await change(version);
  assert.deepEqual(news(), ['POST /a']);
  callbacks.handle((_, response) => response.end());
  await pass(60);
  assert.deepEqual(news(), ['POST /a']);
  assert.match(deliveries('/a').at(-1)!.body.toString(), / 5\n$/);
});

test('active, failed, subscribed again: due at once, and its failures are forgotten', async (context) => {
  const { subscribe, change, news, callbacks, pass } = await openTestHub(context);
  await subscribe('/a');
  callbacks.handle((request, response) =>
    request.method === 'POST' ? response.writeHead(500).end() : subscriber(request, response),
  );
  await change('the second');
  await pass(60);
  news();
  await subscribe('/a');
  assert.deepEqual(news(), ['GET subscribe /a', 'POST /a']);
  await pass(60);
  callbacks.handle(subscriber);
  await pass(600);
  assert.deepEqual(news(), ['POST /a', 'POST /a'], 'two failures, not four');
});

test('active, 410: removed, without another word', async (context) => {
  const { subscribe, change, news, callbacks, pass } = await openTestHub(context);
  await subscribe('/a');
  callbacks.handle((_, response) => response.writeHead(410).end());
  news();
  await change('the second');
  await change('the third');
  await pass(3600);
  assert.deepEqual(news(), ['POST /a']);
});

test('a subscriber that states an old ETag gets the content right after its verification', async (context) => {
  const { subscribe, change, news, deliveries } = await openTestHub(context);
  const [stale, current] = ['the first', 'the second'].map((text) =>
    strongETag(`application/atom+xml ${text}\n`),
  );
  await change('the second');
  await subscribe('/behind', { 'hub.etag': stale! });
  assert.deepEqual(news(), ['GET subscribe /behind', 'POST /behind']);
  assert.match(deliveries('/behind')[0]!.body.toString(), /the second/);
  await subscribe('/elsewhere', { 'hub.etag': '"d41d8cd98f00b204e9800998ecf8427e"' });
  assert.deepEqual(news(), ['GET subscribe /elsewhere', 'POST /elsewhere']);
  await subscribe('/current', { 'hub.etag': current! });
  await subscribe('/encoded', { 'hub.etag': variantETag(current!, 'br') });
  assert.deepEqual(news(), ['GET subscribe /current', 'GET subscribe /encoded']);
  await subscribe('/current', { 'hub.etag': stale! });
  assert.deepEqual(news(), ['GET subscribe /current', 'POST /current']);
});

test('active, lease ends: nothing is sent after', async (context) => {
  const { subscribe, change, news, pass } = await openTestHub(context);
  await subscribe('/a', { 'hub.lease_seconds': '300' });
  await pass(299);
  await change('the second');
  assert.deepEqual(news(), ['GET subscribe /a', 'POST /a']);
  await pass(1);
  await change('the third');
  await pass(3600);
  assert.deepEqual(news(), []);
});

test('a lease is given as asked for, from five minutes to thirty days', async (context) => {
  const { subscribe, callbacks } = await openTestHub(context);
  const given: (string | null)[] = [];
  for (const asked of ['1', '300', '86400', '2592000', '99999999999999999999']) {
    await subscribe('/a', { 'hub.lease_seconds': asked });
    const { searchParams } = new URL(callbacks.url(callbacks.requests.at(-1)!.path));
    given.push(searchParams.get('hub.lease_seconds'));
  }
  assert.deepEqual(given, ['300', '300', '86400', '2592000', '2592000']);
});

test('active, subscribed again: the lease and the secret are the new ones', async (context) => {
  const { subscribe, change, news, pass, deliveries } = await openTestHub(context);
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

test('active, unsubscribed: verified, it is removed; not verified, it stays', async (context) => {
  const { subscribe, change, news, callbacks } = await openTestHub(context);
  for (const path of ['/leaves', '/stays']) await subscribe(path);
  await subscribe('/leaves', { 'hub.mode': 'unsubscribe' });
  callbacks.handle(({ method }, response) =>
    response.writeHead(method === 'GET' ? 404 : 204).end(),
  );
  await subscribe('/stays', { 'hub.mode': 'unsubscribe' });
  await subscribe('/never', { 'hub.mode': 'unsubscribe' });
  assert.deepEqual(news().slice(2), ['GET unsubscribe /leaves', 'GET unsubscribe /stays']);
  await change('the second');
  assert.deepEqual(news(), ['POST /stays']);
});
