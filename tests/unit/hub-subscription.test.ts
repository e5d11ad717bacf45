import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import * as machine from '../../sidecar/hub/subscription.ts';
import { type Intent, type Pair } from '../../sidecar/hub/subscription.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');

const subscribe: Intent = { mode: 'subscribe', secret: 'new', leaseSeconds: 300, version: 7 };
const unsubscribe: Intent = { ...subscribe, mode: 'unsubscribe', secret: null };
const NOTHING: Pair = { subscription: null, intents: [] };
const active: Pair = {
  subscription: { secret: 'old', expiresAt: NOW + 1000, acknowledged: 5, failures: 2 },
  intents: [],
};
const pending: Pair = { subscription: null, intents: [subscribe] };

test('a newer request takes the place of one of its mode, behind the other', () => {
  const newer = { ...subscribe, secret: 'newer' };
  const both = machine.request(machine.request(pending, unsubscribe), newer);
  assert.deepEqual(both.intents, [unsubscribe, newer]);
});

const WRONG: [what: string, transition: () => unknown][] = [
  ['verified without a request', () => machine.verified(active, NOW)],
  [
    'verified to leave what is gone',
    () => machine.verified({ ...pending, intents: [unsubscribe] }, NOW),
  ],
  ['not verified without a request', () => machine.notVerified(active)],
];

for (const [what, transition] of WRONG) {
  test(`throws: ${what}`, () => {
    assert.throws(transition, { name: 'InvalidTransitionError' });
  });
}

const EVENTS = ['subscribe', 'unsubscribe', 'verified', 'not verified'] as const;
type Event = (typeof EVENTS)[number];
const events = fc.array(fc.constantFrom(...EVENTS), { maxLength: 40, size: 'max' });

test('no events make a subscription active that was not verified, or keep more than two requests', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      let pair: Pair = NOTHING;
      let version = 1;
      for (const event of sequence) {
        const before = pair;
        pair = step(pair, event, ++version);
        const began = before.subscription === null && pair.subscription !== null;
        assert.ok(!began || (event === 'verified' && before.intents[0]!.mode === 'subscribe'));
        const ended = before.subscription !== null && pair.subscription === null;
        assert.ok(!ended || event === 'verified');
        assert.equal(new Set(pair.intents.map(({ mode }) => mode)).size, pair.intents.length);
      }
    }),
  );
});

/** Applies an event to a pair; returns it unchanged if the event is not allowed. */
function step(pair: Pair, event: Event, version: number): Pair {
  try {
    switch (event) {
      case 'subscribe':
      case 'unsubscribe':
        return machine.request(pair, { ...subscribe, mode: event, version });
      case 'verified':
        return machine.verified(pair, NOW);
      case 'not verified':
        return machine.notVerified(pair);
    }
  } catch (error) {
    if (error instanceof machine.InvalidTransitionError) return pair;
    throw error;
  }
}
