import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Lanes } from '../../sidecar/hub/lanes.ts';

const hosts = (count: number) => Array.from({ length: count }, (_, index) => `${index}.example`);

/** Lanes whose tasks run until they are told to end. */
function lanes({ perHost = 2, total = 100 } = {}) {
  const began: string[] = [];
  const running = new Map<string, () => void>();
  let asked = 0;
  const under = new Lanes({ perHost, total, onSpace: () => asked++ });
  return {
    lanes: under,
    asked: () => asked,
    began,
    add: (host: string, kind: 'verification' | 'delivery', name = host) =>
      under.add(host, kind, () => {
        began.push(name);
        return new Promise((resolve) => running.set(name, resolve));
      }),
    end: (name: string) => running.get(name)!(),
    async settle() {
      for (let turn = 0, before = -1; turn < 5 || began.length > before; turn++) {
        before = began.length;
        await nextTurn();
      }
    },
  };
}

test('however many are added at once, only a few begin in a turn of the event loop', async () => {
  const { add, began, lanes: all } = lanes({ total: 200 });
  for (const host of hosts(200)) add(host, 'delivery');
  let most = began.length;
  while (began.length < 200) {
    const before = began.length;
    await nextTurn();
    most = Math.max(most, began.length - before);
  }
  assert.ok(most <= 8, `${most} began in one turn`);
  assert.equal(all.isIdle, false);
});

test('a host has only so many at once, and all of them only so many', async () => {
  const { add, began, end, settle } = lanes({ perHost: 2, total: 3 });
  for (const name of ['a1', 'a2', 'a3']) add('a.example', 'delivery', name);
  for (const name of ['b1', 'b2']) add('b.example', 'delivery', name);
  await settle();
  assert.deepEqual(began.toSorted(), ['a1', 'a2', 'b1']);
  end('b1');
  await settle();
  assert.deepEqual(began.slice(3), ['b2']);
  end('a2');
  await settle();
  assert.deepEqual(began.slice(4), ['a3']);
});

test('a verification goes before the deliveries that wait', async () => {
  const { add, began, end, settle } = lanes({ perHost: 1 });
  add('a.example', 'delivery', 'first');
  await settle();
  add('a.example', 'delivery', 'second');
  add('a.example', 'verification', 'question');
  end('first');
  await settle();
  assert.deepEqual(began, ['first', 'question']);
});

test('it is idle when the last task has ended', async () => {
  const { lanes: all, add, end, settle } = lanes();
  await all.idle();
  add('a.example', 'delivery');
  let idle = false;
  const waiting = all.idle().then(() => (idle = true));
  await settle();
  assert.equal(idle, false);
  end('a.example');
  await waiting;
  assert.ok(all.isIdle);
});

test('more is asked for when a host has less than enough, also if two of its tasks end at once', async () => {
  const { lanes: all, asked, add, end, settle } = lanes({ perHost: 2 });
  const names: string[] = [];
  while (!all.busyHosts('delivery').includes('a.example')) {
    names.push(`${names.length}`);
    add('a.example', 'delivery', names.at(-1));
  }
  await settle();
  for (const name of ['n1', 'n2']) add('a.example', 'delivery', name);
  assert.deepEqual(all.busyHosts('delivery'), ['a.example']);
  const before = asked();
  end('0');
  end('1');
  await settle();
  assert.deepEqual(all.busyHosts('delivery'), []);
  assert.equal(asked(), before + 1);
});
