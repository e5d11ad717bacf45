import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as machine from '../../sidecar/hub/subscription.ts';
import { type Intent, type Pair } from '../../sidecar/hub/subscription.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');

const subscribe: Intent = { mode: 'subscribe', secret: 'new', leaseSeconds: 300, version: 7 };
const unsubscribe: Intent = { ...subscribe, mode: 'unsubscribe', secret: null };
const active: Pair = {
  subscription: { secret: 'old', expiresAt: NOW + 1000, acknowledged: 5, failures: 2 },
  intents: [],
};
const pending: Pair = { subscription: null, intents: [subscribe] };
const leaving: Pair = { subscription: null, intents: [unsubscribe] };

test('a newer request takes the place of one of its mode, behind the other', () => {
  const newer = { ...subscribe, secret: 'newer' };
  const both = machine.request(machine.request(pending, unsubscribe), newer);
  assert.deepEqual(both.intents, [unsubscribe, newer]);
});

test('an answer that no request waits for is no transition', () => {
  const wrong = { name: 'InvalidTransitionError' };
  assert.throws(() => machine.verified(active, NOW), wrong);
  assert.throws(() => machine.verified(leaving, NOW), wrong, 'it is gone');
  assert.throws(() => machine.notVerified(active), wrong);
});
