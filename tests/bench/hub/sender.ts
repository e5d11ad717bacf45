import { Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { signatureHeaders } from '../../../sidecar/hub/distributor.ts';
import type { HubTables } from '../../../sidecar/hub/store/tables.ts';
import { contentHeaders } from '../../../sidecar/hub/store/topics.ts';
import { openSqlite } from '../../../sidecar/store/sqlite.ts';
import { strongETag } from '../../../src/edition/etag.ts';
import { insertSubscribers, openCountingHub, SECRET } from './counting-hub.ts';

// Sends one body to many subscribers, in a process of its own: as a hub, or as plain posts.

export type SendOrder =
  | { as: 'hub'; file: string; ca: string; origins: readonly string[]; subscribers: number }
  | { as: 'posts'; port: number; ca: string; connections: number; posts: number };

/** The time of one post. */
export interface SendReport {
  seconds: number;
  /** Processor time of this process, all threads. */
  cpuSeconds: number;
}

/** So many that runs of one machine differ by a twentieth, not by a fifth. */
const MEASURED_POSTS = 50_000;

const BODY = 'x'.repeat(40_000);
const SITE = { base_url: 'https://reviews.example' };
const TOPIC = { path: '/feed.xml', type: 'application/atom+xml' };

process.once('message', async (order: SendOrder) => {
  const report = order.as === 'hub' ? await asHub(order) : await asPosts(order);
  process.send!(report, () => process.exit());
});

async function asHub(order: Extract<SendOrder, { as: 'hub' }>): Promise<SendReport> {
  const { file, ca, origins, subscribers } = order;
  const store = openSqlite<HubTables>(file);
  const { hub, delivered, publish } = await openCountingHub(store, ca, { retrySeconds: [1, 2] });
  const originOf = (number: number) => origins[number % origins.length]!;
  await insertSubscribers(store, subscribers, (number) => `${originOf(number)}/${number}`);
  hub.start();
  return measured(subscribers, async (time) => {
    await publish(`${time} ${BODY}`);
    while (delivered() < subscribers) await delay(5);
    await hub.idle();
  });
}

async function asPosts(order: Extract<SendOrder, { as: 'posts' }>): Promise<SendReport> {
  const { port, ca, connections } = order;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca });
  const body = Buffer.from(BODY);
  const etag = strongETag(body);
  const common = {
    ...contentHeaders(SITE, { ...TOPIC, etag }),
    'content-length': String(body.length),
  };
  const headers = () => ({ ...common, ...signatureHeaders(SECRET, body) });
  const post = async (): Promise<void> => {
    const options = { agent, host: '127.0.0.1', port, method: 'POST', headers: headers() };
    await new Promise<void>((resolve, reject) => {
      const sending = request(options, (response) => response.resume().once('end', resolve));
      sending.once('error', reject).end(body);
    });
  };
  return measured(order.posts, async () => {
    let sent = 0;
    const worker = async () => {
      while (sent++ < order.posts) await post();
    };
    await Promise.all(Array.from({ length: connections }, worker));
  });
}

/** Repeats work of some posts until there are enough, after one round that does not count. */
async function measured(posts: number, work: (time: number) => Promise<void>): Promise<SendReport> {
  await work(0);
  const times = Math.ceil(MEASURED_POSTS / posts);
  const started = performance.now();
  const used = process.cpuUsage();
  for (let time = 1; time <= times; time++) await work(time);
  const { user, system } = process.cpuUsage(used);
  const [seconds, cpuSeconds] = [(performance.now() - started) / 1000, (user + system) / 1e6];
  return { seconds: seconds / (times * posts), cpuSeconds: cpuSeconds / (times * posts) };
}
