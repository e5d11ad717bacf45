import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../sidecar/hub/outbound/exchange.ts';
import { NO_METERS, type Meters } from '../../sidecar/base/meters.ts';
import { Outages } from '../../sidecar/hub/outages.ts';

const REFUSED: Outcome = { kind: 'failure', reason: 'the connection was refused' };
const NO_ROUTE: Outcome = {
  kind: 'failure',
  reason: 'the address cannot be reached',
  unclear: true,
};
const ANSWER: Outcome = { kind: 'response', status: 500, body: Buffer.alloc(0), truncated: false };

function outages() {
  const lines: string[] = [];
  const clock = { now: 0 };
  const logger = { enabled: () => true, log: (_: string, message: string) => lines.push(message) };
  const gauges: Record<string, () => unknown> = {};
  const gauge: Meters['gauge'] = (name, _help, _labels, read) => (gauges[name] = read);
  const all = new Outages(() => clock.now, logger, { ...NO_METERS, gauge });
  const suspended = () => gauges.reviews_hub_strikes_suspended!();
  return { clock, lines, all, suspended };
}

test('a subscriber that refuses connections is at fault itself', () => {
  const { all, lines } = outages();
  for (let count = 0; count < 100; count++) assert.equal(all.note('a.example', REFUSED), false);
  assert.deepEqual(lines, []);
});

test('no route, no resolver or a wrong clock is not the subscriber’s while nobody answers', () => {
  const { all, clock, lines, suspended } = outages();
  assert.deepEqual(suspended(), [[{}, 0]]);
  assert.equal(all.note('a.example', NO_ROUTE), true);
  assert.deepEqual(suspended(), [[{}, 1]]);
  assert.equal(all.note('b.example', NO_ROUTE), true);
  assert.deepEqual(lines, ['failed deliveries do not count: the failure seems to be here']);
  assert.equal(all.note('c.example', ANSWER), false);
  assert.deepEqual(suspended(), [[{}, 0]]);
  assert.equal(all.note('a.example', NO_ROUTE), false, 'others can be reached');
  clock.now += 60_001;
  assert.equal(all.note('a.example', NO_ROUTE), true, 'nobody answered for a minute');
  assert.equal(lines.length, 3);
});

test('nearly all hosts failing at once is an outage here; many that fail are not', () => {
  const { all } = outages();
  const fail = (index: number) => all.note(`${index}.example`, REFUSED);
  for (let index = 0; index < 9; index++) assert.equal(fail(index), false);
  assert.equal(fail(9), true);
  for (let index = 20; index < 25; index++) all.note(`${index}.example`, ANSWER);
  assert.equal(fail(10), false);
});

test('failures of long ago say nothing of now', () => {
  const { all, clock } = outages();
  for (let index = 0; index < 9; index++) all.note(`${index}.example`, REFUSED);
  clock.now += 61_000;
  assert.equal(all.note('9.example', REFUSED), false);
});
