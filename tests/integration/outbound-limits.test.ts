import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { Outbound, type OutboundOptions } from '../../sidecar/hub/outbound/outbound.ts';
import { startCallbacks, type Callbacks } from '../support/callback-server.ts';
import { eventually, realTime } from '../support/eventually.ts';
import { makeTestCa } from '../support/test-ca.ts';

const ca = makeTestCa();

function outbound(context: TestContext, options: Partial<OutboundOptions> = {}): Outbound {
  const hub = new Outbound({ allow: ['127.0.0.0/8'], ca: ca.ca, ...options });
  context.after(() => hub.close());
  return hub;
}

const post = (hub: Outbound, url: string, deadlineMs = 30_000) =>
  hub.send({ method: 'POST', url, headers: {}, body: Buffer.from('x'), maxBody: 64, deadlineMs });

/** Hosts of one machine, each an origin; they answer when they are told. */
class Hosts {
  readonly origins: Callbacks[] = [];
  readonly held: { host: number; answer: ServerResponse }[] = [];
  /** Most requests that were unanswered at the same time. */
  most = 0;

  static async start(context: TestContext, addresses: readonly string[]): Promise<Hosts> {
    const hosts = new Hosts();
    for (const [host, address] of addresses.entries()) {
      const origin = await startCallbacks(ca, { address });
      context.after(() => origin.close());
      origin.handle((_, answer) => {
        hosts.held.push({ host, answer });
        hosts.most = Math.max(hosts.most, hosts.held.length);
      });
      hosts.origins.push(origin);
    }
    return hosts;
  }

  get received(): number {
    return this.#sum((origin) => origin.requests.length);
  }

  get open(): number {
    return this.#sum((origin) => origin.connections().open);
  }

  get opened(): number {
    return this.#sum((origin) => origin.connections().opened);
  }

  /** Answers the oldest request. */
  answer(): void {
    this.held.shift()!.answer.writeHead(204).end();
  }

  /** Until so many requests came; a while longer, should there come one too many. */
  async until(received: number): Promise<void> {
    await eventually(() => this.received >= received);
    await realTime(20);
    assert.equal(this.received, received);
  }

  #sum(count: (origin: Callbacks) => number): number {
    return this.origins.reduce((sum, origin) => sum + count(origin), 0);
  }
}

test('two connections a host and no more, whatever its ports', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  const hub = outbound(context);
  const sent = Array.from({ length: 12 }, (_, at) => post(hub, hosts.origins[at % 3]!.url()));
  for (let answered = 0; answered < 12; answered++) {
    await hosts.until(Math.min(12, answered + 2));
    assert.ok(hosts.open <= 2, `${hosts.open} connections`);
    hosts.answer();
  }
  for (const { kind } of await Promise.all(sent)) assert.equal(kind, 'response');
  assert.equal(hosts.most, 2);
});

test('kept-alive connections are used again', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1']);
  const hub = outbound(context);
  const sent = Array.from({ length: 20 }, () => post(hub, hosts.origins[0]!.url()));
  for (let answered = 0; answered < 20; answered++) {
    await hosts.until(Math.min(20, answered + 2));
    hosts.answer();
  }
  await Promise.all(sent);
  assert.equal(hosts.opened, 2);
});

test('so many connections in all, and idle ones make room', async (context) => {
  const addresses = Array.from({ length: 6 }, (_, at) => `127.0.0.${at + 1}`);
  const hosts = await Hosts.start(context, addresses);
  const hub = outbound(context, { maxSockets: 4 });
  const sent = Array.from({ length: 24 }, (_, at) => post(hub, hosts.origins[at % 6]!.url()));
  for (let answered = 0; answered < 24; answered++) {
    await hosts.until(Math.min(24, answered + 4));
    assert.ok(hosts.open <= 4, `${hosts.open} connections`);
    hosts.answer();
  }
  for (const { kind } of await Promise.all(sent)) assert.equal(kind, 'response');
  assert.equal(hosts.most, 4);
});

test('a slow host holds back nobody but itself', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1', '127.0.0.2']);
  const [slow, fast] = hosts.origins;
  fast!.handle((_, answer) => answer.writeHead(204).end());
  const hub = outbound(context, { maxSockets: 3 });
  const slowOnes = Array.from({ length: 50 }, () => post(hub, slow!.url()));
  const fastOnes = Array.from({ length: 20 }, () => post(hub, fast!.url()));
  for (const { kind } of await Promise.all(fastOnes)) assert.equal(kind, 'response');
  assert.equal(slow!.requests.length, 2);
  for (let answered = 0; answered < 50; answered++) {
    await eventually(() => hosts.held.length > 0);
    hosts.answer();
  }
  await Promise.all(slowOnes);
});

test('hosts take turns when the total holds them back', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1', '127.0.0.2', '127.0.0.3']);
  const hub = outbound(context, { maxSockets: 1 });
  const sent = [0, 0, 0, 1, 1, 1, 2, 2, 2].map((host) => post(hub, hosts.origins[host]!.url()));
  const order: number[] = []; // the first host's second was in line before the others came
  for (let received = 1; received <= 9; received++) {
    await hosts.until(received);
    order.push(hosts.held[0]!.host);
    hosts.answer();
  }
  await Promise.all(sent);
  assert.deepEqual(order, [0, 0, 1, 2, 0, 1, 2, 1, 2]);
});

test('what waits in vain was not tried, and says so', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1']);
  const hub = outbound(context, { perHost: 1 });
  const url = hosts.origins[0]!.url();
  const held = post(hub, url);
  await hosts.until(1);
  assert.deepEqual(await post(hub, url, 100), {
    kind: 'failure',
    reason: 'no connection was free in time',
    untried: true,
  });
  hosts.answer();
  assert.equal((await held).kind, 'response');
  await hosts.until(1);
});

test('the deadline counts from its turn on', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1']);
  const hub = outbound(context, { perHost: 1 });
  const url = hosts.origins[0]!.url();
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const first = post(hub, url);
  await hosts.until(1);
  const second = post(hub, url, 1000);
  context.mock.timers.tick(900);
  hosts.answer();
  await hosts.until(2);
  context.mock.timers.tick(900);
  hosts.answer();
  assert.deepEqual([(await first).kind, (await second).kind], ['response', 'response']);
});

test('closing ends what is open, what waits and what comes after', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1']);
  const hub = outbound(context);
  const url = hosts.origins[0]!.url();
  const sent = Array.from({ length: 3 }, () => post(hub, url));
  await hosts.until(2);
  hub.close();
  const stopping = { kind: 'failure', reason: 'the hub is stopping' };
  const untried = { ...stopping, untried: true };
  assert.deepEqual(await Promise.all(sent), [stopping, stopping, untried]);
  assert.deepEqual(await post(hub, url), untried);
  await eventually(() => hosts.open === 0);
});
