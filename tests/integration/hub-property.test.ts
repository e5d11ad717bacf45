import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Hub } from '../../sidecar/hub/hub.ts';
import type { Exchange, Outcome } from '../../sidecar/hub/outbound/outbound.ts';
import type { HubTables } from '../../sidecar/hub/store/tables.ts';
import type { TopicEdition } from '../../sidecar/hub/store/topics.ts';
import { openSqlite } from '../../sidecar/store/sqlite.ts';
import { hubOptions } from '../support/hub.ts';
import { SITE, topicEdition, TOPICS } from '../support/topic-edition.ts';

// Random events in random order, checked against what each subscriber itself saw and sent.

const CALLBACKS = ['https://a.example/', 'https://b.example/'];
const LEASE_MS = 3_600_000;
const RUNS = 30;

const callback = fc.constantFrom(...CALLBACKS);
const events = fc.array(
  fc.oneof(
    fc.record({ event: fc.constant('subscribe' as const), callback }),
    fc.record({ event: fc.constant('unsubscribe' as const), callback }),
    { arbitrary: fc.record({ event: fc.constant('publish' as const) }), weight: 3 },
    fc.record({ event: fc.constant('pass' as const), seconds: fc.constantFrom(1, 60, 600, 3500) }),
    fc.record({ event: fc.constant('answer' as const), callback, yes: fc.boolean() }),
    fc.record({
      event: fc.constant('acknowledge' as const),
      callback,
      status: fc.constantFrom(204, 500, 410),
    }),
    fc.record({ event: fc.constant('crash' as const) }),
  ),
  { maxLength: 40, size: 'max' },
);
type Event = typeof events extends fc.Arbitrary<(infer E)[]> ? E : never;

/** A subscriber, and what it knows of its own subscription. */
interface Subscriber {
  /** True if it confirms and acknowledges. */
  yes: boolean;
  status: number;
  /** End of its lease; undefined while it has no subscription. */
  until: number | undefined;
  /** The topic's version when it subscribed, then the version it acknowledged. */
  version: number;
  failures: number;
  asked: { mode: string; version: number }[];
}

class World {
  readonly #store = openSqlite<HubTables>(':memory:', () => this.#now);
  readonly #subscribers = new Map(
    CALLBACKS.map((callback): [string, Subscriber] => [
      callback,
      { yes: true, status: 204, until: undefined, version: 0, failures: 0, asked: [] },
    ]),
  );
  #now = Date.parse('2026-06-01T00:00:00Z');
  #edition: TopicEdition = topicEdition('0');
  #version = 0;
  #hub = this.#newHub();

  async run(sequence: readonly Event[]): Promise<void> {
    await this.#hub.open();
    for (const event of sequence) {
      await this.#happen(event);
      await this.#settle();
      await this.#check();
    }
    await this.#hub.drain();
    await this.#hub.close();
  }

  async #happen(event: Event): Promise<void> {
    switch (event.event) {
      case 'subscribe':
      case 'unsubscribe': {
        const { event: mode, callback } = event;
        const subscriber = this.#subscribers.get(callback)!;
        subscriber.asked.push({ mode, version: this.#version });
        const leaseSeconds = LEASE_MS / 1000;
        const request = { mode, callback, topicUrl: TOPICS.atom, secret: null, leaseSeconds };
        return this.#hub.accept(request);
      }
      case 'publish':
        this.#edition = topicEdition(String(++this.#version));
        return this.#hub.tick();
      case 'pass':
        this.#now += event.seconds * 1000;
        return;
      case 'answer':
        this.#subscribers.get(event.callback)!.yes = event.yes;
        return;
      case 'acknowledge':
        this.#subscribers.get(event.callback)!.status = event.status;
        return;
      case 'crash':
        this.#hub = this.#newHub();
        return this.#hub.open();
    }
  }

  /** Checks a request to a callback against what the subscriber knows. */
  #send({ method, url, body }: Exchange): Outcome {
    const { origin, searchParams } = new URL(url);
    const subscriber = this.#subscribers.get(`${origin}/`)!;
    const mode = searchParams.get('hub.mode');
    const respond = (status: number, text = ''): Outcome => {
      return { kind: 'response', status, body: Buffer.from(text), truncated: false };
    };
    if (mode === 'denied') return respond(200);
    if (method === 'GET') {
      const request = subscriber.asked.findLast((asked) => asked.mode === mode);
      assert.ok(request, `asked about a ${mode} that nobody sent`);
      if (!subscriber.yes) return respond(404);
      if (mode === 'unsubscribe') subscriber.until = undefined;
      else {
        if (!this.#isActive(subscriber)) subscriber.version = request.version;
        subscriber.failures = 0;
        subscriber.until = this.#now + LEASE_MS;
      }
      return respond(200, searchParams.get('hub.challenge')!);
    }
    assert.ok(this.#isActive(subscriber), 'a delivery without a subscription');
    assert.equal(Buffer.from(body!).toString(), `application/atom+xml ${this.#version}\n`);
    assert.ok(subscriber.version < this.#version, 'a delivery that is not owed');
    const { status } = subscriber;
    if (status === 204) {
      subscriber.version = this.#version;
      subscriber.failures = 0;
    } else if (status === 410 || ++subscriber.failures === 3) subscriber.until = undefined;
    return respond(status);
  }

  #isActive({ until }: Subscriber): boolean {
    return until !== undefined && until > this.#now;
  }

  async #settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) {
      await this.#hub.idle();
      await this.#hub.tick();
    }
    await this.#hub.idle();
  }

  async #check(): Promise<void> {
    const stored = await this.#store.db.selectFrom('subscription').selectAll().execute();
    const rows = stored.filter((row) => row.expires_at > this.#now);
    const kept = rows.map(({ callback }) => callback).sort();
    const own = [...this.#subscribers].filter(([, subscriber]) => this.#isActive(subscriber));
    assert.deepEqual(kept, own.map(([callback]) => callback).sort());
    for (const [callback, { version, failures }] of own) {
      const row = rows.find((one) => one.callback === callback)!;
      assert.equal(row.failures, failures, callback);
      const isOwed = version < this.#version;
      assert.equal(row.failures > 0, isOwed && failures > 0, callback);
      assert.ok(!isOwed || failures > 0, `${callback} was not sent what it is owed`);
    }
    assert.deepEqual(await this.#store.db.selectFrom('intent').selectAll().execute(), []);
  }

  #newHub(): Hub {
    return new Hub(
      hubOptions(this.#store, {
        outbound: { send: async (exchange) => this.#send(exchange), close: () => {} },
        edition: () => this.#edition,
        now: () => this.#now,
      }),
    );
  }
}

test(`whatever happens at ${SITE}, every subscriber gets what it is owed and nothing else`, async () => {
  await fc.assert(
    fc.asyncProperty(events, (sequence) => new World().run(sequence)),
    { numRuns: RUNS },
  );
});
