import assert from 'node:assert/strict';
import { test as testWith } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RateLimit } from '../../sidecar/base/rate-limit.ts';
import { RefusedWork, Turns } from '../../sidecar/http/turns.ts';
import { silent } from '../support/edition.ts';

/** Ends a test whose turn never comes. */
const test = (name: string, run: () => void | Promise<void>) =>
  void testWith(name, { timeout: 20_000 }, run);

/** Turns on a clock of their own, and work that takes some milliseconds on it. */
function turnsOn({ budget = 0 } = {}) {
  let clock = 0;
  const now = () => clock;
  const done: string[] = [];
  const turns = new Turns(now, new RateLimit(budget, now), silent);
  const take = (name: string, ms: number, client = 'one') =>
    turns.take(client, () => {
      clock += ms;
      done.push(name);
      return `${name} done`;
    });
  /** Returns what became of work, and for how long it was refused. */
  const outcome = async (name: string, ms: number, client?: string): Promise<string> => {
    try {
      return await take(name, ms, client);
    } catch (error) {
      assert.ok(error instanceof RefusedWork);
      return `${error.status} for ${error.retrySeconds} s`;
    }
  };
  return { turns, take, outcome, done, wait: (ms: number) => (clock += ms) };
}

test('cheap work runs at once', () => {
  const { take } = turnsOn();
  for (let times = 0; times < 100; times++) assert.equal(take('cheap', 0.01), 'cheap done');
});

test('the rest of expensive work waits for later turns, in order', async () => {
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

test('clients take turns, however much one of them sends', async () => {
  const { take, done } = turnsOn();
  const all = Array.from({ length: 50 }, (_, at) => take(`a${at}`, 10, 'greedy'));
  all.push(take('b0', 10, 'polite'), take('c0', 10, 'other'), take('b1', 10, 'polite'));
  await Promise.all(all);
  assert.deepEqual(done.slice(0, 7), ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
  assert.equal(done.length, 53);
});

test('a client that used least comes before twenty that used more and wait longer', async () => {
  const { take, done } = turnsOn({ budget: 6_000 });
  const greedy = Array.from({ length: 20 }, (_, at) => `greedy ${at}`);
  const all = [1, 2, 3].flatMap((round) => greedy.map((name) => take(`${round}`, 10, name)));
  for (let turn = 0; done.length < 30 && turn < 10_000; turn++) await nextTurn();
  all.push(take('polite', 1, 'polite'));
  for (let turn = 0; !done.includes('polite') && turn < 10_000; turn++) await nextTurn();
  all.push(take('polite again', 1, 'polite'));
  await Promise.all(all);
  assert.ok(done.indexOf('polite') <= 31, done.join());
  assert.ok(done.indexOf('polite again') <= done.indexOf('polite') + 2, done.join());
});

test('an answer in pieces goes on in later turns, before those that begin later', async () => {
  const { turns, take, done, wait } = turnsOn();
  const inPieces = (name: string) =>
    turns.take('one', function* () {
      for (let piece = 0; piece < 4; piece++) {
        wait(1);
        done.push(`${name}${piece}`);
        yield;
      }
      return `${name} done`;
    });
  const all = [inPieces('a'), inPieces('b')];
  assert.deepEqual(done, ['a0', 'a1']);
  all.push(Promise.resolve(take('polite', 1, 'polite')));
  assert.deepEqual(await Promise.all(all), ['a done', 'b done', 'polite done']);
  assert.deepEqual(done, ['a0', 'a1', 'a2', 'a3', 'polite', 'b0', 'b1', 'b2', 'b3']);
});

test('a client that used its milliseconds is refused until they are back, others are not', async () => {
  const { outcome, wait } = turnsOn({ budget: 6_000 });
  let answered = 0;
  while (answered < 100 && (await outcome('dear', 100, 'greedy')) === 'dear done') answered++;
  assert.equal(answered, 67); // 6.7 s, of which .67 came back meanwhile
  assert.equal(await outcome('dear', 100, 'greedy'), '429 for 1 s');
  assert.equal(await outcome('dear', 100, 'polite'), 'dear done');
  wait(1_000);
  assert.equal(await outcome('dear', 100, 'greedy'), 'dear done');
});

test('work that waits is charged when it runs, and asynchronous work when it ends', async () => {
  const { turns, outcome, wait } = turnsOn({ budget: 100 });
  const all = Array.from({ length: 20 }, () => outcome('dear', 10));
  const refused = (await Promise.all(all)).filter((result) => result.startsWith('429'));
  assert.equal(refused.length, 9);
  wait(60_000);
  await turns.take('one', async () => {
    await Promise.resolve();
    wait(200);
  });
  assert.match(await outcome('dear', 10), /^429/);
});

test('work that fails fails for its caller alone, whenever its turn comes', async () => {
  const { turns, take, wait } = turnsOn();
  const fail = (): never => {
    throw new Error('no answer');
  };
  const inPieces = turns.take('one', function* (): Generator<void, string> {
    wait(5);
    yield;
    return fail();
  });
  await assert.rejects(async () => inPieces, /no answer/);
  assert.throws(() => turns.take('one', fail), /no answer/);
  assert.equal(take('next', 1), 'next done');
  take('dear', 20);
  await assert.rejects(async () => turns.take('one', fail), /no answer/);
  assert.equal(await take('next', 1), 'next done');
});

test('work that waited more than a second is refused, and then others are admitted again', async () => {
  const { outcome, take, done } = turnsOn();
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => outcome(name, 400));
  assert.deepEqual(await Promise.all(all), ['a done', 'b done', 'c done', 'd done', '503 for 1 s']);
  assert.deepEqual(done, ['a', 'b', 'c', 'd']);
  await nextTurn();
  assert.equal(take('f', 1), 'f done');
});

test('at most a thousand wait, and the client with most of them makes room', async () => {
  const { outcome } = turnsOn();
  const greedy = Array.from({ length: 1100 }, () => outcome('x', 0.1, 'greedy'));
  await outcome('dear', 20, 'greedy');
  const later = Array.from({ length: 1100 }, () => outcome('x', 5, 'greedy'));
  const polite = Array.from({ length: 10 }, () => outcome('y', 5, 'polite'));
  assert.deepEqual(new Set(await Promise.all(polite)), new Set(['y done']));
  const refused = (await Promise.all(later)).filter((result) => result.startsWith('503'));
  assert.ok(refused.length >= 109, `${refused.length}`);
  await Promise.all(greedy);
});
