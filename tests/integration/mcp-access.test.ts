import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Access, type AccessSettings } from '../../sidecar/mcp/access.ts';
import { quiet, recorder } from '../support/edition.ts';
import { doorOf, post, request, send } from '../support/mcp.ts';
import { sampleApp } from '../support/targets.ts';

const BASE_URL = 'http://reviews.example:8443';
const access = (settings: Partial<AccessSettings>, baseUrl = BASE_URL, logger = quiet) =>
  new Access({ origins: ['*'], hosts: [], hasFront: false, ...settings }, () => baseUrl, logger);

test("the site's own host and this machine's are answered, at any port, and no other", () => {
  const allowsHost = hostsOf(access({}));
  const own = ['reviews.example', 'Reviews.Example:1', 'localhost', 'localhost:4321'];
  // Nobody can make an address lead elsewhere.
  const addresses = ['127.0.0.1:80', '[::1]', '[::1]:4321', '192.168.1.5:4321'];
  for (const host of [...own, ...addresses]) assert.ok(allowsHost(host), host);
  for (const host of [
    'evil.example',
    'reviews.example.evil.example',
    'localhost.evil.example',
    'evil.example:4321',
    '127.0.0.1.evil.example',
    'localhost:4321:5',
    'localhost@evil.example',
    '[::1].evil.example',
    '',
    '*',
  ]) {
    assert.ok(!allowsHost(host), host);
  }
});

test('hosts that are set are added to those', () => {
  const allowsHost = hostsOf(access({ hosts: ['mcp.example'] }));
  for (const host of ['mcp.example:443', 'localhost', 'reviews.example']) {
    assert.ok(allowsHost(host), host);
  }
  assert.ok(!allowsHost('evil.example'));
  assert.ok(hostsOf(access({ hosts: ['*'] }))('anything.example'));
});

test('any host is answered where no browser alone can reach the socket', () => {
  const evil = 'evil.example';
  assert.ok(hostsOf(access({ hasFront: true }))(evil));
  assert.ok(hostsOf(access({}, 'https://reviews.example'))(evil), 'a front speaks https');
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1']) {
    assert.ok(hostsOf(access({}), address)(evil), address);
  }
  for (const address of ['127.0.0.1', '::1', '::ffff:10.0.0.1', '192.168.1.5', 'fd00::1']) {
    assert.ok(!hostsOf(access({}), address)(evil), address);
  }
});

test('a refusal names the setting, in the answer and in one log line', () => {
  const { logger, lines } = recorder('warn');
  const strict = access({}, BASE_URL, logger);
  const setting = /MCP_ALLOWED_HOSTS/;
  assert.throws(() => strict.check('a.example', null), setting);
  assert.throws(() => strict.check('b.example', null), setting);
  const [line, ...others] = lines;
  assert.deepEqual([line!.host, others], ['a.example', []]);
  assert.match(line!.message, setting);
});

test('the own host is that of the edition served now', () => {
  let baseUrl = BASE_URL;
  const settings = { origins: ['*'], hosts: [], hasFront: false };
  const allowsHost = hostsOf(new Access(settings, () => baseUrl, quiet));
  assert.ok(allowsHost('reviews.example'));
  baseUrl = 'http://other.example';
  assert.ok(allowsHost('other.example') && !allowsHost('reviews.example'));
});

/** Returns a function that tells whether a host is answered. */
function hostsOf(access: Access, address?: string) {
  return (host: string): boolean => {
    try {
      access.check(host, null, address);
      return true;
    } catch {
      return false;
    }
  };
}

const ALLOWED = 'https://assistant.example';
const ACCESS = { origins: [ALLOWED], hosts: [], hasFront: false };
const onlyOne = async () => doorOf(await sampleApp({ mcpOptions: { access: ACCESS } }));

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
