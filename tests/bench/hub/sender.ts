import { Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { Hub } from '../../../sidecar/hub/hub.ts';
import { signatureHeaders } from '../../../sidecar/hub/distributor.ts';
import { Outbound } from '../../../sidecar/hub/outbound/outbound.ts';
import type { HubStore, HubTables } from '../../../sidecar/hub/store/tables.ts';
import { contentHeaders } from '../../../sidecar/hub/store/topics.ts';
import { openSqlite } from '../../../sidecar/store/sqlite.ts';
import { strongETag } from '../../../src/edition/etag.ts';
import { hubOptions, LOOPBACK, SECRETS } from '../../support/hub.ts';
import { topicEdition } from '../../support/topic-edition.ts';

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
const SECRET = 'a secret that is used to sign';
const INSERTED_AT_ONCE = 1000;

process.once('message', async (order: SendOrder) => {
  const report = order.as === 'hub' ? await asHub(order) : await asPosts(order);
  process.send!(report, () => process.exit());
});

async function asHub(order: Extract<SendOrder, { as: 'hub' }>): Promise<SendReport> {
  let edition = topicEdition('before');
  let delivered = 0;
  const store = openSqlite<HubTables>(order.file);
  const outbound = new Outbound({ allow: LOOPBACK, ca: order.ca });
  const send: Outbound['send'] = async (exchange) => {
    const outcome = await outbound.send(exchange);
    if (outcome.kind === 'response' && outcome.status === 204) delivered++;
    return outcome;
  };
  const hub = new Hub(
    hubOptions(store, {
      outbound: { send, close: () => outbound.close() },
      edition: () => edition,
      retrySeconds: [1, 2],
    }),
  );
  await hub.open();
  await insertSubscribers(store, order);
  hub.start();
  return measured(order.subscribers, async (time) => {
    delivered = 0;
    edition = topicEdition(`${time} ${BODY}`, { only: '/feed.xml' });
    await hub.tick();
    while (delivered < order.subscribers) await delay(5);
    await hub.idle();
  });
}

async function insertSubscribers(
  store: HubStore,
  { origins, subscribers }: Extract<SendOrder, { as: 'hub' }>,
): Promise<void> {
  const { id, version } = await store.db
    .selectFrom('topic')
    .select(['id', 'version'])
    .where('url', 'like', '%/feed.xml')
    .executeTakeFirstOrThrow();
  for (let first = 0; first < subscribers; first += INSERTED_AT_ONCE) {
    const count = Math.min(INSERTED_AT_ONCE, subscribers - first);
    const rows = Array.from({ length: count }, (_, index) => {
      const origin = origins[(first + index) % origins.length]!;
      return {
        topic_id: id,
        callback: `${origin}/${first + index}`,
        host: new URL(origin).hostname,
        sealed_secret: SECRETS.seal(SECRET),
        expires_at: Date.now() + 3_600_000,
        acknowledged: version,
      };
    });
    await store.db.insertInto('subscription').values(rows).execute();
  }
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
