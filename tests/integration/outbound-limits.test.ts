import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { Outbound, type OutboundOptions } from '../../sidecar/hub/outbound/outbound.ts';
import { startCallbacks, type Callbacks } from '../support/callback-server.ts';
import { eventually, realTime } from '../support/eventually.ts';
import { testCa } from '../support/test-ca.ts';

const ca = testCa();

function outbound(context: TestContext, options: Partial<OutboundOptions> = {}): Outbound {
  const hub = new Outbound({ allow: ['127.0.0.0/8'], ca: ca.ca, ...options });
  context.after(() => hub.close());
  return hub;
}

const post = (hub: Outbound, url: string, patienceMs = 30_000) =>
  hub.send({ method: 'POST', url, headers: {}, body: Buffer.from('x'), maxBody: 64, patienceMs });

/** Hosts of one machine, each an origin; they answer on demand. */
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

test('kept-alive connections are used again', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1']);
  const hub = outbound(context);
  for (let sent = 0; sent < 10; sent++) {
    const two = [post(hub, hosts.origins[0]!.url()), post(hub, hosts.origins[0]!.url())];
    await hosts.until(2 * sent + 2);
    hosts.answer();
    hosts.answer();
    await Promise.all(two);
  }
  assert.equal(hosts.opened, 2);
});

test('a connection that nobody used for a second is closed', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1']);
  const sent = post(outbound(context), hosts.origins[0]!.url());
  await hosts.until(1);
  hosts.answer();
  await sent;
  assert.equal(hosts.open, 1);
  await eventually(() => hosts.open === 0);
});

test('a body has the time that its size may take, beyond the patience for the answer', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1']);
  const hub = outbound(context);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const [origin] = hosts.origins;
  const body = Buffer.alloc(32 * 1024 * 1024); // 128 s
  let read = () => {};
  const reading = new Promise<void>((resolve) => (read = resolve));
  let came = false;
  origin!.beforeBody(() => {
    came = true;
    return reading;
  });
  const sending = hub.send({ method: 'POST', url: origin!.url(), headers: {}, body, maxBody: 64 });
  await eventually(() => came);
  context.mock.timers.tick(100_000);
  read();
  await hosts.until(1);
  context.mock.timers.tick(9_000);
  hosts.answer();
  assert.equal((await sending).kind, 'response');
});

test('closing ends what is open and what comes after', async (context) => {
  const hosts = await Hosts.start(context, ['127.0.0.1']);
  const hub = outbound(context);
  const url = hosts.origins[0]!.url();
  const sent = Array.from({ length: 2 }, () => post(hub, url));
  await hosts.until(2);
  hub.close();
  const stopping = { kind: 'failure', reason: 'the hub is stopping' };
  assert.deepEqual(await Promise.all(sent), [stopping, stopping]);
  assert.deepEqual(await post(hub, url), { ...stopping, untried: true });
  await eventually(() => hosts.open === 0);
});
