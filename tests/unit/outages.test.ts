import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../sidecar/hub/outbound/outbound.ts';
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
  const logger = { enabled: () => true, log: (_: string, message: string) => lines.push(message) };
  return { lines, all: new Outages(logger) };
}

test('a subscriber that fails alone gets a strike, whatever the failure', () => {
  const { all, lines } = outages();
  for (let count = 0; count < 100; count++) {
    assert.equal(all.note('a.example', true, REFUSED), false);
    assert.equal(all.note('a.example', true, NO_ROUTE), false);
  }
  assert.deepEqual(lines, []);
});

test('no route, no resolver or a wrong clock is the hub’s once others fail that responded before', () => {
  const { all, lines } = outages();
  assert.equal(all.note('a.example', true, NO_ROUTE), false);
  assert.equal(all.note('b.example', true, NO_ROUTE), true);
  assert.equal(all.note('a.example', true, NO_ROUTE), true);
  assert.deepEqual(lines, ['failed deliveries do not count: the failure seems to be here']);
  assert.equal(all.note('c.example', true, ANSWER), false);
  assert.equal(lines[1], 'failed deliveries count again');
  assert.equal(all.note('a.example', true, NO_ROUTE), false, 'another can be reached');
});

test('names that never responded prove nothing', () => {
  const { all } = outages();
  for (let index = 0; index < 100; index++) {
    assert.equal(all.note(`${index}.example`, false, NO_ROUTE), false);
  }
});

test('refused connections are the hub’s only if ten others fail that responded before', () => {
  const { all } = outages();
  const fail = (index: number) => all.note(`${index}.example`, true, REFUSED);
  for (let index = 0; index < 10; index++) assert.equal(fail(index), false);
  assert.equal(fail(10), true);
  all.note('good.example', true, ANSWER);
  assert.equal(fail(11), false);
});
