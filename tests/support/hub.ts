import type { TestContext } from 'node:test';
import { Hub, type HubOptions } from '../../sidecar/hub/hub.ts';
import { Outbound, type OutboundOptions } from '../../sidecar/hub/outbound/outbound.ts';
import { parseHubRequest } from '../../sidecar/hub/request-form.ts';
import { Secrets } from '../../sidecar/hub/store/secrets.ts';
import type { HubStore } from '../../sidecar/hub/store/tables.ts';
import type { TopicEdition } from '../../sidecar/hub/store/topics.ts';
import { startCallbacks, type Received } from './callback-server.ts';
import { silent } from './edition.ts';
import { onSqlite, type Engine } from './engines.ts';
import { testCa } from './test-ca.ts';
import { topicEdition, TOPICS } from './topic-edition.ts';

/** Address range of the tests' subscribers. */
export const LOOPBACK = ['127.0.0.0/8'];

/** The key that encrypts the tests' stores. */
export const SECRETS = new Secrets('the key of the tests');

/** Returns the options of a hub that reaches no subscriber, unless they are changed. */
export function hubOptions(store: HubStore, changes: Partial<HubOptions>): HubOptions {
  const first = topicEdition('the first');
  return {
    store,
    secrets: SECRETS,
    outbound: { send: async () => ({ kind: 'failure', reason: 'not sent' }), close: () => {} },
    edition: () => first,
    refresh: async () => {},
    logger: silent,
    now: () => performance.now(),
    random: () => 0,
    retrySeconds: [60, 600],
    allow: LOOPBACK,
    maxSubscriptions: 100_000,
    graceMs: 0,
    ...changes,
  };
}

/** Opens connections to peers with certificates of the tests' authority; by default on loopback. */
export function openOutbound(
  context: { after: (close: () => void) => void },
  options: Partial<OutboundOptions> = {},
): Outbound {
  const outbound = new Outbound({ allow: LOOPBACK, ca: testCa().ca, ...options });
  context.after(() => outbound.close());
  return outbound;
}

interface TestHubOptions extends Partial<HubOptions> {
  engine?: Engine;
  /** Wraps what sends to the subscribers. */
  through?: (send: Outbound['send']) => Outbound['send'];
}

/** Opens a hub with a manual clock, on SQLite unless told, and subscribers on real HTTPS. */
export async function openTestHub(
  context: TestContext,
  { engine = onSqlite, through = (send) => send, ...changes }: TestHubOptions = {},
) {
  let time = Date.parse('2026-06-01T00:00:00Z');
  let edition = topicEdition('the first');
  const ca = testCa();
  const callbacks = await startCallbacks(ca);
  const store = await engine.open(() => time);
  const outbound = new Outbound({ allow: LOOPBACK, ca: ca.ca });
  const throughIt = through((exchange) => outbound.send(exchange));
  const own = {
    outbound: { send: throughIt, close: () => outbound.close() },
    edition: () => edition,
    now: () => time,
  };
  const hub = new Hub(hubOptions(store, { ...own, ...changes }));
  context.after(async () => {
    await hub.drain();
    await hub.close();
    await callbacks.close();
  });
  await hub.open();

  /** Does everything due now and everything that follows from it. */
  const settle = async (): Promise<void> => {
    await hub.idle();
    let before: number;
    do {
      before = callbacks.requests.length;
      await hub.tick();
      await hub.idle();
    } while (callbacks.requests.length > before);
  };
  /** Advances the clock and does everything due by then. */
  const pass = async (seconds: number): Promise<void> => {
    time += seconds * 1000;
    await settle();
  };
  /** Sends a form as a subscriber does. @throws with the issues of a refused request */
  const send = async (form: Record<string, string>): Promise<void> => {
    const parsed = parseHubRequest(new URLSearchParams(form).toString(), hub.rules);
    if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
    await hub.accept(parsed.request);
  };
  /** Subscribes a callback to the Atom topic by default, and lets the hub verify it. */
  const subscribe = async (path: string, form: Record<string, string> = {}): Promise<void> => {
    const own = { 'hub.topic': TOPICS.atom, 'hub.callback': callbacks.url(path) };
    await send({ 'hub.mode': 'subscribe', ...own, ...form });
    await settle();
  };
  /** Replaces the edition and lets the hub deliver it. */
  const change = async (next: TopicEdition | string): Promise<void> => {
    edition = typeof next === 'string' ? topicEdition(next) : next;
    await hub.tick();
    await settle();
  };
  let told = 0;
  /** Returns the requests since the last call: `GET subscribe /a`, `POST /a`. */
  const news = (): string[] => {
    const fresh = callbacks.requests.slice(told);
    told = callbacks.requests.length;
    return fresh.map(({ method, path }) => {
      const { pathname, searchParams } = new URL(path, 'https://callback.example');
      const mode = searchParams.get('hub.mode');
      return [method, ...(mode === null ? [] : [mode]), pathname].join(' ');
    });
  };
  /** Returns the deliveries to a callback. */
  const deliveries = (path: string): Received[] =>
    callbacks.requests.filter((request) => request.method === 'POST' && request.path === path);
  return { hub, store, callbacks, settle, pass, send, subscribe, change, news, deliveries };
}
