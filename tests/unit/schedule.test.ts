import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainOf, type Pace } from '../../sidecar/hub/hosts.ts';
import { Bag, Schedule, type Kind } from '../../sidecar/hub/schedule.ts';
import { Random } from '../support/random.ts';

const names = (count: number, suffix = '.example') =>
  Array.from({ length: count }, (_, index) => `host-${index}${suffix}`);

/** A schedule whose exchanges take as long as their host does, by a clock of its own. */
class World {
  readonly began: { host: string; ids: number[]; at: number; kind: Kind }[] = [];
  now = 0;
  readonly #random = new Random(1);
  readonly schedule = new Schedule(() => this.#random.next());
  readonly #hosts = new Map<number, string>();
  readonly #msOf: (host: string) => number;
  #open: { until: number; ms: number; host: string; end: () => void }[] = [];
  #ids = 0;

  constructor(msOf: (host: string) => number) {
    this.#msOf = msOf;
  }

  add(host: string, kind: Kind = 'delivery', client = '', pace: Pace = 'unknown'): number {
    const id = ++this.#ids;
    this.#hosts.set(id, host);
    this.schedule.add(kind, { id, host, part: 0, client, pace });
    return id;
  }

  /** Lets time pass, in steps that no exchange ends within. */
  run(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      this.#begin();
      const next = Math.min(...this.#open.map(({ until }) => until), this.now + 100, end);
      if (this.now >= end) return;
      this.now = next;
      const over = this.#open.filter(({ until }) => until <= this.now);
      this.#open = this.#open.filter(({ until }) => until > this.now);
      for (const one of over) one.end();
    }
  }

  /** Runs until nothing is left. */
  finish(): void {
    for (let second = 0; !this.schedule.isIdle && second < 100_000; second++) this.run(1000);
  }

  /** Returns the hosts whose exchanges began at a time. */
  beganAt(time: number, name: RegExp): string[] {
    return this.began.flatMap(({ host, at }) => (at === time && name.test(host) ? [host] : []));
  }

  get open(): number {
    return this.#open.length;
  }

  #begin(): void {
    for (let batch; (batch = this.schedule.begin());) {
      const { kind, ids, end } = batch;
      const host = this.#hosts.get(ids[0]!)!;
      const ms = this.#msOf(host);
      this.began.push({ host, ids, at: this.now, kind });
      const over = () => {
        for (const id of ids) this.schedule.done(kind, id);
        end(ms);
      };
      this.#open.push({ until: this.now + ms * ids.length, ms, host, end: over });
    }
  }
}

test('2,000 hosts that take 9 s delay ten prompt ones not at all', () => {
  const world = new World((host) => (host.includes('good') ? 50 : 9_000));
  for (const name of names(2000, '.slow')) world.add(`${name}.${name}`);
  world.run(3_000);
  const from = world.now;
  for (const name of names(10, '.good')) world.add(name, 'delivery', '', 'prompt');
  world.run(0);
  assert.equal(world.beganAt(from, /good/).length, 10);
});

test('slow hosts have few places, and all hosts together no more than 560', () => {
  const hosts = names(2000).map((name, index) => `${name}.x${index}.example${index}`);
  const world = new World(() => 9_000);
  for (const host of hosts.slice(0, 300)) world.add(host, 'delivery', '', 'slow');
  world.run(1_900);
  assert.equal(world.open, 48);
  for (const host of hosts) world.add(`other.${host}`);
  for (let second = 0; second < 60; second++) {
    world.run(1_000);
    assert.ok(world.open <= 560, `${world.open} at once`);
  }
});

test('a host has two exchanges at once, and those waiting for it keep nobody', () => {
  const world = new World(() => 1_000);
  for (let count = 0; count < 6; count++) world.add('busy.example');
  world.add('other.test');
  world.run(0);
  const hosts = world.beganAt(0, /./).toSorted();
  assert.deepEqual(hosts, ['busy.example', 'busy.example', 'other.test']);
});

test('hosts that were quick wait for no neighbor, and a new one not for slow ones', () => {
  const world = new World((host) => (/honest|new/.test(host) ? 50 : 9_000));
  for (const host of names(400, '.shared.test')) world.add(host, 'delivery', '', 'slow');
  world.run(3_000);
  for (const host of names(40, '.honest.shared.test')) world.add(host, 'delivery', '', 'prompt');
  world.add('new.shared.test');
  const from = world.now;
  world.run(1_000);
  assert.equal(world.beganAt(from, /honest|new/).length, 41);
});

test('the domain of a host is near enough to what was registered', () => {
  assert.equal(domainOf('a.b.example.com'), 'example.com');
  assert.equal(domainOf('a.example.co.uk'), 'example.co.uk');
  assert.equal(domainOf('localhost'), 'localhost');
  assert.equal(domainOf('a.shop.workers.dev'), 'shop.workers.dev');
  assert.equal(domainOf('8.8.8.8'), '8.8.8.8');
  assert.equal(domainOf('2606:4700:4700::1111'), '2606:4700:4700');
});

test('questions have places of their own, and one client network only some of them', () => {
  const world = new World(() => 10_000);
  for (const host of names(1500)) world.add(`${host}.${host}`, 'verification', '2001:db8:1');
  world.run(1_000);
  assert.equal(world.began.length, 16);
  world.add('honest.test', 'verification', '192.0.2.7');
  world.add('delivered.test');
  world.run(0);
  const later = world.began.slice(16).map(({ host }) => host);
  assert.deepEqual(later.toSorted(), ['delivered.test', 'honest.test']);
});

for (const [ms, inARow] of [
  [5, [1, 1, 64, 64, 2]],
  [250, [1, 1, ...Array.from({ length: 32 }, () => 4), 2]],
] as const) {
  test(`a host that takes ${ms} ms is given ${inARow[2]} deliveries in a row, in their order`, () => {
    const world = new World(() => ms);
    for (let count = 0; count < 132; count++) world.add('a.example', 'delivery', '', 'prompt');
    world.finish();
    const lengths = world.began.map(({ ids }) => ids.length);
    assert.deepEqual(lengths, inARow);
    const ids = world.began.flatMap((batch) => batch.ids);
    const inOrder = Array.from({ length: 132 }, (_, at) => at + 1);
    assert.deepEqual(ids, inOrder);
  });
}

test('a task is here once, until its outcome is written', () => {
  const { schedule } = new World(() => 0);
  const task = { id: 7, host: 'a.example', part: 0, client: '', pace: 'unknown' } as const;
  schedule.add('delivery', task);
  schedule.add('delivery', task);
  const batch = schedule.begin()!;
  assert.deepEqual(batch.ids, [7]);
  batch.end();
  assert.ok(schedule.isIdle);
  assert.equal(schedule.size('delivery'), 1);
  schedule.add('delivery', task);
  assert.equal(schedule.begin(), undefined);
  schedule.done('delivery', 7);
  schedule.add('delivery', task);
  assert.deepEqual(schedule.begin()!.ids, [7]);
});

test('thousands of names that wait for their domain keep nobody else from beginning', () => {
  let asked = 0;
  const world = new World(() => 1_000 + (asked++ % 50)); // they do not end together
  for (const host of names(5_000, '.evil.example')) world.add(host);
  world.run(0);
  world.add('honest.test');
  world.run(0);
  assert.deepEqual(world.began.map(({ host }) => host).slice(16), ['honest.test']);
  world.finish();
  assert.equal(new Set(world.began.map(({ host }) => host)).size, 5_001);
});

test('each item leaves once, in random order, and can leave from anywhere', () => {
  const random = new Random(1);
  const orders = new Set<string>();
  for (let round = 0; round < 100; round++) {
    const bag = new Bag<string>(() => random.next());
    for (const item of 'abbacdd') bag.add(item);
    assert.equal(bag.size, 4);
    assert.ok(bag.delete('b'));
    assert.ok(!bag.delete('b'));
    const taken: string[] = [];
    for (let item; (item = bag.take()) !== undefined;) taken.push(item);
    assert.deepEqual(taken.toSorted(), ['a', 'c', 'd']);
    assert.equal(bag.size, 0);
    orders.add(taken.join(''));
  }
  assert.equal(orders.size, 6);
});
