import assert from 'node:assert/strict';
import { createHmac, hash } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { strongETag, variantETag } from '../../src/edition/etag.ts';
import { subscriber } from '../support/callback-server.ts';
import { eventually } from '../support/eventually.ts';
import { forEachEngine } from '../support/engines.ts';
import { Deliveries } from '../../sidecar/hub/store/deliveries.ts';
import { Secrets } from '../../sidecar/hub/store/secrets.ts';
import { openTestHub, SECRETS } from '../support/hub.ts';
import { SITE, topicEdition, TOPICS } from '../support/topic-edition.ts';

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
    assert.match(query.get('hub.challenge')!, /^[+\-./\d=A-Z_a-z]{30,}$/);
    await change('the second');
    assert.deepEqual(news(), ['POST /a']);
  });

  test('pending verification: anything but the exact challenge leaves nothing', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
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
      `<${TOPICS.atom}>; rel="self", <https://reviews.example/api/websub/hub>; rel="hub"`,
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

  test('active, changed: any 2xx acknowledges', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    const paths = ['/200', '/201', '/202', '/204', '/299'];
    for (const path of paths) await subscribe(path);
    callbacks.handle(({ path }, response) => response.writeHead(Number(path.slice(1))).end());
    news();
    await change('the second');
    await pass(3600);
    assert.deepEqual(
      news().sort(),
      paths.map((path) => `POST ${path}`),
    );
  });

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

  test('active, failed: a newer version takes the place of the older, at its time', async (context) => {
    const { subscribe, change, news, callbacks, pass, deliveries } = await open(context);
    await subscribe('/a');
    callbacks.handle((_, response) => response.writeHead(500).end());
    news();
    await change('the second');
    callbacks.handle((_, response) => response.end());
    await change('the third');
    assert.deepEqual(news(), ['POST /a']);
    await pass(60);
    assert.deepEqual(news(), ['POST /a']);
    assert.match(deliveries('/a').at(-1)!.body.toString(), /the third/);
    await pass(3600);
    assert.deepEqual(news(), []);
  });

  test('active, failed: many versions in a short outage end no subscription', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    await subscribe('/a');
    callbacks.handle((_, response) => response.writeHead(503).end());
    news();
    for (const version of ['2', '3', '4', '5']) await change(version);
    assert.deepEqual(news(), ['POST /a']);
    callbacks.handle((_, response) => response.end());
    await pass(60);
    await change('6');
    assert.deepEqual(news(), ['POST /a', 'POST /a']);
  });

  test('active, failed: Retry-After is honored, up to a day', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    await subscribe('/a');
    const waits = ['900', '99999999'];
    callbacks.handle((_, response) =>
      response.writeHead(503, { 'retry-after': waits.shift() ?? '0' }).end(),
    );
    await change('the second');
    news();
    await pass(899);
    assert.deepEqual(news(), []);
    await pass(1);
    assert.deepEqual(news(), ['POST /a']);
    await pass(86_399);
    assert.deepEqual(news(), []);
    await pass(1);
    assert.deepEqual(news(), ['POST /a', 'GET denied /a']);
  });

  test('active, failed, subscribed again: due at once, and its failures are forgotten', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    await subscribe('/a');
    const failing: typeof subscriber = (request, response) =>
      request.method === 'POST' ? response.writeHead(500).end() : subscriber(request, response);
    callbacks.handle(failing);
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

  test('the denial names the last outcome and repeats until it is heard', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    await subscribe('/a');
    callbacks.handle(({ method }, response) => {
      if (method === 'GET') response.destroy();
      else response.writeHead(413).end();
    });
    await change('the second');
    await pass(60);
    await pass(600);
    news();
    callbacks.handle(subscriber);
    await pass(5);
    assert.deepEqual(news(), ['GET denied /a']);
    const { searchParams } = new URL(callbacks.url(callbacks.requests.at(-1)!.path));
    assert.match(searchParams.get('hub.reason')!, /: 413$/);
    await pass(3600);
    assert.deepEqual(news(), []);
  });

  test('pending verification: nobody there is asked again, an answer is final', async (context) => {
    const { subscribe, change, news, callbacks, pass } = await open(context);
    callbacks.handle((_, response) => response.destroy());
    await subscribe('/starting');
    assert.deepEqual(news(), ['GET subscribe /starting']);
    await pass(4);
    assert.deepEqual(news(), []);
    callbacks.handle(subscriber);
    await pass(1);
    await change('the second');
    assert.deepEqual(news(), ['GET subscribe /starting', 'POST /starting']);
  });

  test('pending verification: after 5 s, 30 s and 5 min it is denied', async (context) => {
    const { subscribe, news, callbacks, pass } = await open(context);
    callbacks.handle((_, response) => response.destroy());
    await subscribe('/a');
    for (const seconds of [5, 30]) await pass(seconds);
    news();
    await pass(300);
    assert.deepEqual(news(), ['GET subscribe /a']);
    callbacks.handle(subscriber);
    await pass(5);
    assert.deepEqual(news(), ['GET denied /a']);
  });

  test('the hub’s own outage is no strike, three times; what was owed is sent when it is over', async (context) => {
    let isOut = true;
    const tries: Record<string, number> = {};
    const answer = { status: 204, body: Buffer.alloc(0), truncated: false };
    const { subscribe, change, pass, store } = await openTestHub(context, engine, {}, (send) => {
      return async (exchange) => {
        if (exchange.method === 'GET') return send(exchange);
        const { hostname } = new URL(exchange.url);
        tries[hostname] = (tries[hostname] ?? 0) + 1;
        if (!isOut) return { kind: 'response', ...answer };
        return { kind: 'failure', reason: 'no route', unclear: true, unreached: true };
      };
    });
    await subscribe('/a');
    const query = store.db.selectFrom('subscription').selectAll();
    const { id: _, ...row } = await query.executeTakeFirstOrThrow();
    const hosts = ['b.example', 'c.example'];
    const others = hosts.map((host) => ({ ...row, callback: `https://${host}/`, host }));
    await store.db.insertInto('subscription').values(others).execute();
    const failures = async () => {
      const found = await store.db.selectFrom('subscription').select('failures').execute();
      return found.map((one) => one.failures).toSorted();
    };
    await change('the second');
    assert.deepEqual(await failures(), [0, 0, 1], 'the first to fail proves nothing');
    for (const seconds of [60, 600]) await pass(seconds);
    assert.deepEqual(await failures(), [0, 0, 1]);
    await pass(600);
    assert.deepEqual(await failures(), [1, 1, 1], 'the fourth time it counts');
    isOut = false;
    await pass(600);
    assert.deepEqual(await failures(), [0, 0, 0]);
    assert.deepEqual(Object.values(tries), [5, 5, 5]);
  });

  test('active, failed: a host that cannot be reached is tried every five minutes, which counts for nothing', async (context) => {
    let isDown = true;
    const { subscribe, change, pass, news } = await openTestHub(
      context,
      engine,
      { retrySeconds: [300, 21_600] },
      (send) => async (exchange) =>
        isDown && exchange.method === 'POST'
          ? { kind: 'failure', reason: 'the connection was refused', unreached: true }
          : send(exchange),
    );
    await subscribe('/a');
    await change('the second');
    news();
    await pass(300);
    isDown = false; // six minutes after it went down
    await pass(299);
    assert.deepEqual(news(), []);
    await pass(1);
    assert.deepEqual(news(), ['POST /a']);
    isDown = true;
    await change('the third');
    await pass(300);
    for (let minutes = 0; minutes < 355; minutes += 5) await pass(300);
    assert.deepEqual(news(), [], 'not yet denied');
    await pass(300);
    await pass(1);
    assert.deepEqual(news(), ['GET denied /a']);
  });

  test('a subscriber that states an old ETag gets the content right after its verification', async (context) => {
    const { subscribe, change, news, deliveries } = await open(context);
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
    await subscribe('/silent');
    assert.deepEqual(
      news(),
      ['/current', '/encoded', '/silent'].map((path) => `GET subscribe ${path}`),
    );
    await subscribe('/current', { 'hub.etag': stale! });
    assert.deepEqual(news(), ['GET subscribe /current', 'POST /current']);
  });

  test('a delivery signed with a secret that was replaced does not count', async (context) => {
    const { send, change, settle, store, callbacks, deliveries, subscribe } = await open(context);
    await subscribe('/a', { 'hub.secret': 'old' });
    let answer = () => {};
    callbacks.handle((request, response) => {
      if (request.method === 'GET') subscriber(request, response);
      else answer = () => response.end();
    });
    const changing = change('the second');
    await callbacks.waitFor(({ method }) => method === 'POST');
    await send({
      'hub.mode': 'subscribe',
      'hub.topic': TOPICS.atom,
      'hub.callback': callbacks.url('/a'),
      'hub.secret': 'new',
    });
    await eventually(async () => {
      const row = await store.db
        .selectFrom('subscription')
        .select('sealed_secret')
        .executeTakeFirst();
      return SECRETS.open(row!.sealed_secret!) === 'new';
    });
    callbacks.handle(subscriber);
    answer();
    await changing;
    await settle();
    const [first, second, ...more] = deliveries('/a');
    assert.deepEqual(more, []);
    const mac = (secret: string) => createHmac('sha256', secret).update(first!.body).digest('hex');
    assert.equal(first!.headers['x-hub-signature'], `sha256=${mac('old')}`);
    assert.equal(second!.headers['x-hub-signature'], `sha256=${mac('new')}`);
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

  test('a secret also signs by Standard Webhooks, the same id at each attempt', async (context) => {
    const { subscribe, change, callbacks, pass, deliveries } = await open(context);
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    await subscribe('/a', { 'hub.secret': 'sesame' });
    await subscribe('/b', { 'hub.secret': `whsec_${key.toString('base64')}` });
    callbacks.handle((_, response) => response.writeHead(500).end());
    await change('the second');
    await pass(60);
    const ids = new Set<unknown>();
    for (const { path, headers, body } of deliveries()) {
      const { 'webhook-id': id, 'webhook-timestamp': time } = headers as Record<string, string>;
      ids.add(id);
      const mac = createHmac('sha256', path === '/a' ? 'sesame' : key);
      const signed = mac.update(`${id}.${time}.${body}`).digest('base64');
      assert.equal(headers['webhook-signature'], `v1,${signed}`);
    }
    assert.equal(deliveries().length, 4);
    assert.equal(ids.size, 1);
    const times = deliveries('/a').map(({ headers }) => Number(headers['webhook-timestamp']));
    assert.equal(times[1]! - times[0]!, 60);
  });

  test('a new SITE_URL: subscriptions move, requests are denied with the new topic', async (context) => {
    const { subscribe, news, callbacks, hub, change, store, pass } = await openTestHub(
      context,
      engine,
      { movedFrom: SITE },
    );
    await subscribe('/a', { 'hub.secret': 'sesame' });
    callbacks.handle((_, response) => response.destroy());
    await subscribe('/asking');
    callbacks.handle(subscriber);
    news();
    const edition = topicEdition('the second');
    const site = 'https://new.example';
    await change({ ...edition, manifest: { ...edition.manifest, base_url: site } });
    assert.deepEqual(news().toSorted(), ['GET denied /asking', 'POST /a']);
    const post = callbacks.requests.find(({ method }) => method === 'POST')!;
    assert.match(String(post.headers.link), /^<https:\/\/new\.example\/feed\.xml>; rel="self"/);
    assert.ok(post.headers['x-hub-signature']);
    const denied = callbacks.requests.find(({ path }) =>
      path.startsWith('/asking?hub.mode=denied'),
    );
    const { searchParams } = new URL(callbacks.url(denied!.path));
    assert.equal(searchParams.get('hub.topic'), TOPICS.atom);
    assert.match(searchParams.get('hub.reason')!, /https:\/\/new\.example\/feed\.xml/);
    await hub.publish();
    await pass(3600);
    assert.deepEqual(news(), []);
    assert.equal((await store.db.selectFrom('subscription').selectAll().execute()).length, 1);
  });

  test('a secret is in the store only as ciphertext', async (context) => {
    const { subscribe, store, send, callbacks } = await open(context);
    await subscribe('/a', { 'hub.secret': 'open sesame' });
    const form = { 'hub.mode': 'subscribe', 'hub.topic': TOPICS.atom, 'hub.secret': 'open sesame' };
    callbacks.handle(() => {});
    await send({ ...form, 'hub.callback': callbacks.url('/b') });
    const kept = [
      ...(await store.db.selectFrom('subscription').selectAll().execute()),
      ...(await store.db.selectFrom('intent').selectAll().execute()),
    ];
    assert.equal(kept.length, 2);
    assert.doesNotMatch(JSON.stringify(kept), /sesame/);
    assert.notEqual(kept[0]!.sealed_secret, kept[1]!.sealed_secret);
    const other = new Deliveries(store, new Secrets('another key'), { confirm: async () => {} });
    await assert.rejects(other.checkKey(), /HUB_KEY is not the key/);
    const both = new Secrets('a new key,the key of the tests');
    for (const { sealed_secret: sealed } of kept) assert.equal(both.open(sealed!), 'open sesame');
    assert.throws(() => SECRETS.open(both.seal('x')), /HUB_KEY is not the key/);
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

  test('a lease is given as asked for, from five minutes to thirty days', async (context) => {
    const { subscribe, callbacks } = await open(context);
    const given: (string | null)[] = [];
    for (const asked of ['1', '300', '86400', '2592000', '99999999999999999999']) {
      await subscribe('/a', { 'hub.lease_seconds': asked });
      const { searchParams } = new URL(callbacks.url(callbacks.requests.at(-1)!.path));
      given.push(searchParams.get('hub.lease_seconds'));
    }
    assert.deepEqual(given, ['300', '300', '86400', '2592000', '2592000']);
  });

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
