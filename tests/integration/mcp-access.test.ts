import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Access, type AccessSettings } from '../../sidecar/mcp/access.ts';
import { post, request, send } from '../support/mcp.ts';
import { sampleApp } from '../support/targets.ts';

const BASE_URL = 'https://reviews.example:8443';
const access = (settings: Partial<AccessSettings>) =>
  new Access({ origins: ['*'], hosts: [], ...settings }, () => BASE_URL);

test("the site's own host and loopback are answered, at any port, and no other", () => {
  const allowsHost = hostsOf(access({}));
  for (const host of ['reviews.example', 'Reviews.Example:1', 'localhost', 'localhost:4321']) {
    assert.ok(allowsHost(host), host);
  }
  for (const host of ['127.0.0.1:80', '[::1]', '[::1]:4321']) assert.ok(allowsHost(host), host);
  for (const host of [
    'evil.example',
    'reviews.example.evil.example',
    'localhost.evil.example',
    'evil.example:4321',
    '[::2]',
    '127.0.0.2',
    'localhost:4321:5',
    'localhost@evil.example',
    '',
    '*',
  ]) {
    assert.ok(!allowsHost(host), host);
  }
});

test('hosts that are set take the place of those', () => {
  const allowsHost = hostsOf(access({ hosts: ['mcp.example'] }));
  assert.ok(allowsHost('mcp.example:443'));
  assert.ok(!allowsHost('localhost') && !allowsHost('reviews.example'));
  assert.ok(hostsOf(access({ hosts: ['*'] }))('anything.example'));
});

test('the own host is that of the edition served now', () => {
  let baseUrl = BASE_URL;
  const allowsHost = hostsOf(new Access({ origins: ['*'], hosts: [] }, () => baseUrl));
  assert.ok(allowsHost('reviews.example'));
  baseUrl = 'https://other.example';
  assert.ok(allowsHost('other.example') && !allowsHost('reviews.example'));
});

/** Returns a function that tells whether a host is answered. */
function hostsOf(access: Access) {
  return (host: string): boolean => {
    try {
      access.check(host, null);
      return true;
    } catch {
      return false;
    }
  };
}

const ALLOWED = 'https://assistant.example';
const onlyOne = () =>
  sampleApp({ mcpOptions: { access: { origins: [ALLOWED], hosts: [] } } }).then((app) => ({
    fetch: (path: string, init?: RequestInit) => app.request(path, init),
  }));

test('an origin outside the named ones gets a JSON-RPC error', async () => {
  const door = await onlyOne();
  for (const origin of ['https://evil.example', 'http://assistant.example', 'null']) {
    const { status, headers, body } = await post(door, request('ping'), { origin });
    assert.deepEqual([status, body!.error!.code], [403, -32000], origin);
    assert.equal(headers.get('access-control-allow-origin'), null);
    assert.equal((await send(door, { method: 'OPTIONS', headers: { origin } })).status, 403);
  }
});

test('the answer to a named origin repeats it and varies by Origin', async () => {
  const door = await onlyOne();
  const { status, headers } = await post(door, request('ping'), { origin: ALLOWED });
  assert.equal(status, 200);
  assert.equal(headers.get('access-control-allow-origin'), ALLOWED);
  assert.equal(headers.get('vary'), 'Origin');
  const preflight = await send(door, { method: 'OPTIONS', headers: { origin: ALLOWED } });
  assert.equal(preflight.status, 204);
});

test("the site's own origin is always allowed", async () => {
  const door = await onlyOne();
  const origin = 'http://localhost:4321';
  const { status, headers } = await post(door, request('ping'), { origin });
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, origin]);
});
