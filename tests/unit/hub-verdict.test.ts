import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../sidecar/hub/outbound/outbound.ts';
import { verdictOn, Outages, type Attempt } from '../../sidecar/hub/verdict.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse('2026-06-01T00:00:00Z');

const response = (status: number, retryAfterMs?: number): Outcome => {
  const head = { kind: 'response' as const, status, body: Buffer.alloc(0), truncated: false };
  return retryAfterMs === undefined ? head : { ...head, retryAfterMs };
};
const REFUSED: Outcome = { kind: 'failure', reason: 'the connection was refused', unreached: true };
const SILENT: Outcome = { kind: 'failure', reason: 'there was no answer in time' };

const first: Attempt = { failures: 0, released: 0, takenAt: NOW, strikeAt: 0, isOutage: false };
const second: Attempt = { ...first, failures: 1 };
const third: Attempt = { ...first, failures: 2 };
const early: Attempt = { ...second, strikeAt: NOW + HOUR };
const never: Attempt = { ...third, strikeAt: NOW + 26 * HOUR };
const outage: Attempt = { ...third, isOutage: true };

const retry = (failures: number, strikeMs: number, delayMs = strikeMs) => {
  return { kind: 'retry', failures, strikeMs, delayMs };
};
const released = (released: number, delayMs: number) => ({ kind: 'released', released, delayMs });
const removed = (last: string) => {
  const reason = `three deliveries in a row were not acknowledged, the last with: ${last}`;
  return { kind: 'removed', reason };
};

for (const [what, attempt, outcome, verdict] of [
  ['a 2xx acknowledges', third, response(204), { kind: 'delivered' }],
  ['a redirect does not', first, response(302), retry(1, 5 * MINUTE)],
  ['the second failure waits longer', second, SILENT, retry(2, 6 * HOUR)],
  ['Retry-After lengthens a wait', first, response(503, HOUR), retry(1, HOUR)],
  ['and shortens none', second, response(503, HOUR), retry(2, 6 * HOUR)],
  ['the third failure removes', third, response(500), removed('500')],
  ['whatever it was', third, SILENT, removed(SILENT.reason)],
  ['a 410 removes without a word', first, response(410), { kind: 'removed' }],
  ['a host that is down is looked at', second, REFUSED, retry(2, 6 * HOUR, 5 * MINUTE)],
  ['which counts for nothing', early, REFUSED, released(0, 5 * MINUTE)],
  ['until its time', early, SILENT, released(0, HOUR)],
  ['a 410 counts at once', early, response(410), { kind: 'removed' }],
  ['a time that no wait leads to is none', never, REFUSED, removed(REFUSED.reason)],
  ['an outage is no failure', outage, SILENT, released(1, 5 * MINUTE)],
  ['it waits like one', { ...outage, released: 2 }, SILENT, released(3, 6 * HOUR)],
  ['three times', { ...outage, released: 3 }, SILENT, removed(SILENT.reason)],
] as const) {
  test(what, () => assert.deepEqual(verdictOn(attempt, outcome, [300, 21_600], 0), verdict));
}

test('waits are up to a tenth longer, and at most a day', () => {
  const { delayMs } = verdictOn(first, SILENT, [1000, 86_400], 0.5) as { delayMs: number };
  assert.equal(delayMs, 1_050_000);
  assert.deepEqual(verdictOn(second, SILENT, [1000, 86_400], 0.9), retry(2, 24 * HOUR));
});

const NO_ROUTE: Outcome = { kind: 'failure', reason: 'no route', unclear: true };

function outages(share = 1) {
  const lines: string[] = [];
  const logger = { enabled: () => true, log: (_: string, message: string) => lines.push(message) };
  return { lines, all: new Outages(logger, () => share) };
}

test('a subscriber that fails alone gets a strike, whatever the failure', () => {
  const { all, lines } = outages();
  for (let count = 0; count < 100; count++) {
    assert.equal(all.note('a.example', HOUR, REFUSED), false);
    assert.equal(all.note('a.example', HOUR, NO_ROUTE), false);
  }
  assert.deepEqual(lines, []);
});

test('no route, no resolver or a wrong clock is the hub’s once others fail that responded before', () => {
  const { all, lines } = outages();
  assert.equal(all.note('a.example', HOUR, NO_ROUTE), false);
  assert.equal(all.note('b.example', HOUR, NO_ROUTE), true);
  assert.equal(all.note('a.example', HOUR, NO_ROUTE), true);
  assert.deepEqual(lines, ['failed deliveries do not count: the failure seems to be here']);
  assert.equal(all.note('c.example', HOUR, response(500)), false);
  assert.equal(lines[1], 'failed deliveries count again');
  assert.equal(all.note('a.example', HOUR, NO_ROUTE), false, 'another can be reached');
});

test('names that have not responded for a day prove nothing', () => {
  const { all } = outages();
  for (let index = 0; index < 100; index++) {
    assert.equal(all.note(`${index}.example`, 25 * HOUR, NO_ROUTE), false);
  }
});

test('refused connections are the hub’s only if ten others fail that responded before', () => {
  const { all } = outages();
  const fail = (index: number) => all.note(`${index}.example`, HOUR, REFUSED);
  for (let index = 0; index < 10; index++) assert.equal(fail(index), false);
  assert.equal(fail(10), true);
  all.note('good.example', HOUR, response(204));
  assert.equal(fail(11), false);
});
