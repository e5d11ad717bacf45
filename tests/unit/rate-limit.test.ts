import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from '../../sidecar/base/network.ts';
import { RateLimit } from '../../sidecar/http/rate-limit.ts';

/** Returns true if a request of one address leaves none for the other. */
function shareALimit(one: string, other: string): boolean {
  const limit = new RateLimit(1, () => 0);
  assert.equal(limit.take(one), 0);
  return limit.take(other) > 0;
}

test('addresses of one IPv6 /64 are one client, however they are written', () => {
  for (const [one, other] of [
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8:0:0:9::'],
    ['2001:db8:1:2::1', '2001:0DB8:01:0002::1'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['fe80::1', 'fe80::2'],
    ['::1', '::2'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['not an address', 'another that is none'],
  ] as const) {
    assert.ok(shareALimit(one, other), `${one} and ${other}`);
  }
});

test('addresses of two IPv6 /64, or two IPv4 addresses, are two clients', () => {
  for (const [one, other] of [
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8:1::1', '2001:db8:2::1'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['192.0.2.1', '192.0.2.2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['192.0.2.1', '2001:db8::1'],
  ] as const) {
    assert.ok(!shareALimit(one, other), `${one} and ${other}`);
  }
});

test('a network is an IPv4 address or an IPv6 /48', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
    ['2001:db8:1::', '2001:db8:1'],
    ['2001:db8::1', '2001:db8:0'],
    ['::1', '0:0:0'],
    ['2001:0DB8:01::1', '2001:db8:1'],
    ['not an address', ''],
  ] as const) {
    assert.equal(clientNetwork(address), network, address);
  }
});

test('a request that costs more than a minute is taken once, and its debt is waited for', () => {
  let now = 0;
  const limit = new RateLimit(100, () => now);
  assert.equal(limit.take('192.0.2.1', 250), 0);
  assert.equal(limit.take('192.0.2.1', 1), 91);
  now = 91_000;
  assert.equal(limit.take('192.0.2.1', 1), 0);
  assert.equal(limit.take('192.0.2.1', 250), 60);
  now += 60_000;
  assert.equal(limit.take('192.0.2.1', 250), 0);
});

test('of too many clients the one not seen for longest is forgotten', () => {
  const limit = new RateLimit(1, () => 0);
  const address = (at: number) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
  for (let at = 0; at < 10_000; at++) limit.take(address(at));
  assert.ok(limit.take(address(0)) > 0, 'seen again');
  assert.equal(limit.take(address(10_000)), 0);
  assert.ok(limit.take(address(0)) > 0);
  assert.equal(limit.take(address(1)), 0, 'forgotten');
});
