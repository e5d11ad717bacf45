import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork, RateLimit } from '../../sidecar/base/rate-limit.ts';

test('a client is an IPv4 address or an IPv6 /48, however it is written', () => {
  for (const [network, ...addresses] of [
    ['192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1:5678', '[::ffff:192.0.2.1]:5678'],
    ['2001:db8:1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:ffff::', '2001:0DB8:01::1'],
    ['2001:db8:0', '2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:5678'],
    ['0:0:0', '::1', '0:0:0:0:0:0:0:1'],
    ['', 'not an address', '192.0.2.1:', '192.0.2.256:80', undefined],
  ]) {
    for (const address of addresses) assert.equal(clientNetwork(address), network, address);
  }
});

test('a cost beyond what is left is a debt, waited for by its client alone', () => {
  let now = 0;
  const limit = new RateLimit(100, () => now);
  assert.equal(limit.take('one', 250), 0, 'once, if it costs more than a minute');
  assert.equal(limit.take('one', 1), 91);
  limit.spend('other', 110); // a cost that shows afterwards
  assert.equal(limit.take('other', 0), 6);
  now = 6_000;
  assert.equal(limit.take('other', 0), 0);
  now = 91_000;
  assert.equal(limit.take('one', 1), 0);
  assert.equal(limit.take('one', 250), 60);
  now += 60_000;
  assert.equal(limit.take('one', 250), 0);
});

test('a quiet hour restores a minute and no more, and a rate of 0 is no limit', () => {
  let now = 0;
  const [limit, none] = [3, 0].map((perMinute) => new RateLimit(perMinute, () => now));
  for (let asked = 0; asked < 4; asked++) limit!.take('one');
  now = 3_600_000;
  const waits = (of: RateLimit) => [1, 2, 3, 4].map(() => of.take('one') > 0);
  assert.deepEqual(waits(limit!), [false, false, false, true]);
  assert.deepEqual(waits(none!), [false, false, false, false]);
});

test('too many clients make the least recent one forgotten', () => {
  const limit = new RateLimit(1, () => 0);
  const address = (at: number) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
  for (let at = 0; at < 10_000; at++) limit.take(address(at));
  assert.ok(limit.take(address(0)) > 0, 'seen again');
  assert.equal(limit.take(address(10_000)), 0);
  assert.ok(limit.take(address(0)) > 0);
  assert.equal(limit.take(address(1)), 0, 'forgotten');
});
