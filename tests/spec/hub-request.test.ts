import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody } from '../../src/schema/error.ts';
import { eachOf } from '../support/mcp.ts';
import { forEachTarget, sampleApp, type Target } from '../support/targets.ts';

// Contract, section 4.9. The response depends on the request's text alone.

const HUB = '/api/websub/hub';
const FORM = 'application/x-www-form-urlencoded';
const CALLBACK = 'https://subscriber.example/callback';

type Form = Record<string, string | string[]>;

function encode(form: Form): string {
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((one) => [`hub.${name}`, one]),
  );
  return new URLSearchParams(pairs).toString();
}

async function post(target: Target, form: Form, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { 'content-type': FORM, ...headers } };
  return target.fetch(HUB, { ...init, body: encode(form) });
}

async function topicOf(target: Target, path = '/feed.xml'): Promise<string> {
  return (await target.manifest()).base_url + path;
}

const REFUSED: [what: string, fault: Form, named: string][] = [
  ['no callback', { callback: [] }, 'hub.callback'],
  ['an http callback', { callback: 'http://subscriber.example/' }, 'hub.callback'],
  ['a callback that is no URL', { callback: 'subscriber' }, 'hub.callback'],
  ['a callback with a fragment', { callback: `${CALLBACK}#here` }, 'hub.callback'],
  ['a private callback', { callback: 'https://10.0.0.1/' }, 'hub.callback'],
  ['a callback that is too long', { callback: `${CALLBACK}/${'x'.repeat(2048)}` }, 'hub.callback'],
  ['two callbacks', { callback: [CALLBACK, CALLBACK] }, 'hub.callback'],
  ['no mode', { mode: [] }, 'hub.mode'],
  ['another mode', { mode: 'Subscribe' }, 'hub.mode'],
  ['a search as a topic', { topic: 'https://reviews.example/api/reviews/search' }, 'hub.topic'],
  ['no topic', { topic: [] }, 'hub.topic'],
  ['a foreign topic', { topic: 'https://example.com/feed.xml' }, 'hub.topic'],
  ['a secret with a NUL', { secret: 'a\0b' }, 'hub.secret'],
  ['an ETag without quotes', { etag: 'abc' }, 'hub.etag'],
  ['a secret of 200 bytes', { secret: 'x'.repeat(200) }, 'hub.secret'],
  ['a secret of 200 bytes in 100 letters', { secret: 'ä'.repeat(100) }, 'hub.secret'],
  ['a lease with a fraction', { lease_seconds: '0.5' }, 'hub.lease_seconds'],
  ['a lease with a leading zero', { lease_seconds: '0300' }, 'hub.lease_seconds'],
];

const TAKEN: [what: string, fields: Form][] = [
  ['a weak ETag of another server is taken', { etag: 'W/"66a1-18f"' }],
  ['a long ETag of another server is taken', { etag: `"${'x'.repeat(198)}"` }],
  ['a lease of 0 is taken', { lease_seconds: '0' }],
  ['a lease with a fraction of zeros is taken', { lease_seconds: '864000.0' }],
  ['an empty lease, secret or ETag counts as absent', { lease_seconds: '', secret: '', etag: '' }],
  ['the longest secret is taken', { secret: 'x'.repeat(199), lease_seconds: '600' }],
  ['an unknown field is ignored', { verify: 'async', foo: ['1', '2'] }],
  [
    'an unsubscription is taken, whatever lease and secret it carries',
    { mode: 'unsubscribe', lease_seconds: '0', secret: '' },
  ],
];

forEachTarget((target) => {
  const valid = async (): Promise<Form> => ({
    mode: 'subscribe',
    callback: CALLBACK,
    topic: await topicOf(target),
  });

  for (const path of ['/feed.xml', '/api/feed.json', '/reviews.json']) {
    test(`a subscription to ${path} is taken: 202, empty`, async () => {
      const topic = await topicOf(target, path);
      const response = await post(target, { ...(await valid()), topic });
      assert.equal(response.status, 202);
      assert.equal(await response.text(), '');
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });
  }

  for (const [what, fields] of TAKEN) {
    test(what, async () => {
      assert.equal((await post(target, { ...(await valid()), ...fields })).status, 202);
    });
  }

  test('a topic with needless escapes is taken, one with a slash more is not', async () => {
    const topic = (await topicOf(target)).replace('feed.xml', '%66eed%2Exml');
    for (const [written, status] of [
      [topic, 202],
      [`${topic}%2F`, 400],
    ] as const) {
      assert.equal((await post(target, { ...(await valid()), topic: written })).status, status);
    }
  });

  for (const bytes of ['%FF', 'a%C3']) {
    test(`a secret that is not UTF-8 (${bytes}) is refused: 400`, async () => {
      const body = `${encode(await valid())}&hub.secret=${bytes}`;
      const init = { method: 'POST', headers: { 'content-type': FORM }, body };
      const response = await target.fetch(HUB, init);
      assert.equal(response.status, 400);
      assert.match(await response.text(), /^hub\.secret must be UTF-8/);
    });
  }

  for (const [what, fault, named] of REFUSED) {
    test(`${what} is refused: 400, one clear line`, async () => {
      const response = await post(target, { ...(await valid()), ...fault });
      assert.equal(response.status, 400);
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
      const line = await response.text();
      assert.match(line, new RegExp(`^${named} [^\\n]+\\n$`));
      assert.doesNotMatch(line, /subscriber\.example|xxx/, 'repeats what was sent');
    });
  }

  test('a refusal names every issue', async () => {
    const line = await (await post(target, { mode: 'subscribe' })).text();
    assert.match(line, /hub\.callback .*; hub\.topic /);
  });

  test('issues are JSON if the client asks for it', async () => {
    const form = { ...(await valid()), callback: 'http://a.example/' };
    const response = await post(target, form, { accept: 'application/json' });
    assert.equal(response.status, 400);
    assert.equal(response.headers.get('content-type'), 'application/json');
    const { error, issues } = errorBody.parse(await response.json());
    assert.equal(error, 'invalid_request');
    assert.deepEqual(eachOf(issues!, 'path'), [['hub.callback']]);
    assert.equal(issues![0]!.code, 'invalid_callback');
  });

  for (const field of ['url', 'topic']) {
    test(`a ping that names own topics by hub.${field} is taken, one with a foreign topic is not`, async () => {
      const topics = [await topicOf(target), await topicOf(target, '/reviews.json')];
      const ping = (named: string[]) => post(target, { mode: 'publish', [field]: named });
      assert.equal((await ping(topics)).status, 202);
      const response = await ping(['https://example.com/feed.xml', ...topics]);
      assert.equal(response.status, 400);
      const line = new RegExp(`^hub\\.${field} must be one of http[^\\n;]+\\n$`);
      assert.match(await response.text(), line);
    });
  }

  test('a ping that names no topic is refused: 400, one clear line', async () => {
    const response = await post(target, { mode: 'publish' });
    assert.equal(response.status, 400);
    assert.equal(await response.text(), 'hub.url must name a topic, or hub.topic instead\n');
  });

  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
    test(`a body of type "${type}" is refused: 415`, async () => {
      const response = await post(target, await valid(), { 'content-type': type });
      assert.equal(response.status, 415);
      assert.match(await response.text(), /^[^\n]+\n$/);
    });
  }

  test('a form with a charset is a form', async () => {
    const type = 'Application/X-WWW-Form-Urlencoded; charset=utf-8';
    assert.equal((await post(target, await valid(), { 'content-type': type })).status, 202);
  });

  test('8 KiB are read, a byte more is refused: 413', async () => {
    const form = await valid();
    const size = encode(form).length + '&hub.filler='.length;
    const filled = (bytes: number) => ({ ...form, filler: 'x'.repeat(bytes - size) });
    assert.equal((await post(target, filled(8192))).status, 202);
    assert.equal((await post(target, filled(8193))).status, 413);
  });

  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    test(`${method} is refused: 405, with what is allowed`, async () => {
      const response = await target.fetch(HUB, { method });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
    });
  }

  test('GET explains how to subscribe: a line, JSON, or a page for browsers', async () => {
    const accepting = (accept: string) => target.fetch(HUB, { headers: { accept } });
    const line = await (await accepting('*/*')).text();
    assert.match(line, /POST a form with hub\.mode=subscribe, .*\/feed\.xml or .*\n$/);
    const json = (await (await accepting('application/json')).json()) as { error: string };
    assert.equal(json.error, 'method_not_allowed');
    const page = await accepting('text/html,application/xhtml+xml,*/*;q=0.8');
    assert.deepEqual([page.status, page.headers.get('allow')], [405, 'POST, OPTIONS']);
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.match(await page.text(), /hub\.callback[^]*href="\/developers\/websub\/"/);
  });

  test('a preflight is answered', async () => {
    const response = await target.fetch(HUB, { method: 'OPTIONS' });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
  });

  test('the topics name the hub and themselves in headers', async () => {
    const { base_url: site } = await target.manifest();
    for (const path of ['/feed.xml', '/api/feed.json', '/reviews.json', '/changes.json']) {
      const { headers } = await target.fetch(path);
      const expected = `<${site}${path}>; rel="self", <${site}${HUB}>; rel="hub"`;
      assert.equal(headers.get('link'), expected);
    }
  });

  test('the feeds name the hub in their bodies', async () => {
    const hub = await topicOf(target, HUB);
    const atom = await (await target.fetch('/feed.xml')).text();
    assert.ok(atom.includes(`<link rel="hub" href="${hub}"/>`));
    const { hubs } = await target.json<{ hubs: unknown }>('/api/feed.json');
    assert.deepEqual(hubs, [{ type: 'WebSub', url: hub }]);
  });
});

test('one request too many is 429, until Retry-After is over', async () => {
  let now = 0;
  const app = await sampleApp({ hubRate: 2, now: () => now });
  const statusOf = async () => {
    const body = encode({ mode: 'subscribe' });
    return app.request(HUB, { method: 'POST', headers: { 'content-type': FORM }, body });
  };
  assert.deepEqual([(await statusOf()).status, (await statusOf()).status], [400, 400]);
  const refused = await statusOf();
  assert.equal(refused.status, 429);
  now += Number(refused.headers.get('retry-after')) * 1000;
  assert.equal((await statusOf()).status, 400);
});
