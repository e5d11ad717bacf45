import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Turns } from '../../sidecar/hub/outbound/turns.ts';

const HOSTS = ['a', 'b', 'c', 'd'];

type Step = { kind: 'enter' | 'leave' | 'withdraw'; host: string; which: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('enter', 'enter', 'leave', 'withdraw'),
    host: fc.constantFrom(...HOSTS),
    which: fc.nat(20),
  }),
  { maxLength: 200 },
);

test('no step breaks a limit, leaves a place empty, or changes the order within a host', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), check),
  );
});

function check(steps: readonly Step[], total: number, perHost: number): void {
  const turns = new Turns(total, perHost);
  const lines = new Map(HOSTS.map((host) => [host, new Line()]));
  for (const { kind, host, which } of steps) {
    const line = lines.get(host)!;
    if (kind === 'enter') line.enter(turns, host);
    else if (kind === 'leave' && line.running > 0) line.leave(turns, host);
    else if (kind === 'withdraw' && line.waiting.length > 0) line.withdraw(turns, host, which);

    const all = [...lines.values()];
    const running = all.reduce((sum, { running }) => sum + running, 0);
    assert.ok(running <= total);
    for (const { running: own, waiting } of all) {
      assert.ok(own <= perHost);
      if (waiting.length > 0) assert.ok(own === perHost || running === total);
    }
  }
}

/** What one host's line should be. */
class Line {
  running = 0;
  waiting: (() => void)[] = [];

  enter(turns: Turns, host: string): void {
    const begin = (): void => {
      assert.equal(this.waiting.shift(), begin);
      this.running++;
    };
    this.waiting.push(begin);
    turns.enter(host, begin);
  }

  leave(turns: Turns, host: string): void {
    this.running--;
    turns.leave(host);
  }

  withdraw(turns: Turns, host: string, which: number): void {
    const [begin] = this.waiting.splice(which % this.waiting.length, 1);
    turns.withdraw(host, begin!);
  }
}

test('a host that waits is served before another is served twice', () => {
  const turns = new Turns(1, 1);
  const order: string[] = [];
  for (const host of 'aaabbc') turns.enter(host, () => order.push(host));
  for (let left = 0; left < 6; left++) turns.leave(order.at(-1)!);
  assert.equal(order.join(''), 'abcaba');
});
