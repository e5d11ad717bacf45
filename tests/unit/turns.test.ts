import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from '../../sidecar/http/turns.ts';

/** Turns on a clock of their own, and work that takes some milliseconds on it. */
function turnsOn() {
  let clock = 0;
  const done: string[] = [];
  const turns = new Turns(() => clock);
  const take = (name: string, ms: number) =>
    turns.take(
      () => {
        clock += ms;
        done.push(name);
        return `${name} done`;
      },
      () => `${name} refused`,
    );
  return { take, done };
}

test('cheap work runs at once', () => {
  const { take } = turnsOn();
  for (let times = 0; times < 100; times++) assert.equal(take('cheap', 0.01), 'cheap done');
});

test('what is left of expensive work waits for later turns, in order', async () => {
  const { take, done } = turnsOn();
  assert.equal(take('a', 20), 'a done');
  const others = [take('b', 20), take('c', 1), take('d', 20), take('e', 1)];
  const seen: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    seen.push(done.join(''));
    await nextTurn();
  }
  assert.deepEqual(await Promise.all(others), ['b done', 'c done', 'd done', 'e done']);
  assert.deepEqual(seen, ['a', 'ab', 'abcd', 'abcde']);
});

test('work that fails fails for its caller alone', async () => {
  const { take } = turnsOn();
  const turns = new Turns(() => 0);
  const fail = (): never => {
    throw new Error('no answer');
  };
  assert.throws(() => turns.take(fail, () => 'refused'), /no answer/);
  assert.equal(take('next', 1), 'next done');
});

test('what waited more than a second is refused, and then others are admitted again', async () => {
  const { take, done } = turnsOn();
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => take(name, 400));
  assert.deepEqual(await Promise.all(all), ['a done', 'b done', 'c done', 'd done', 'e refused']);
  assert.deepEqual(done, ['a', 'b', 'c', 'd']);
  await nextTurn();
  assert.equal(take('f', 1), 'f done');
});

test('no more than a thousand wait', async () => {
  const { take } = turnsOn();
  const all = Array.from({ length: 1100 }, () => take('x', 6));
  const refused = (await Promise.all(all)).filter((result) => result === 'x refused').length;
  assert.ok(refused >= 99, `${refused}`);
});
