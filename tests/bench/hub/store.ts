import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deliveries } from '../../../sidecar/hub/store/deliveries.ts';
import { Requests } from '../../../sidecar/hub/store/requests.ts';
import { createTables, type HubStore, type HubTables } from '../../../sidecar/hub/store/tables.ts';
import { Topics } from '../../../sidecar/hub/store/topics.ts';
import { topicFiles } from '../../../sidecar/hub/publisher.ts';
import { openPostgres } from '../../../sidecar/store/postgres.ts';
import { openSqlite } from '../../../sidecar/store/sqlite.ts';
import { silent } from '../../support/edition.ts';
import { SECRETS } from '../../support/hub.ts';
import { onPostgres, PostgresServer } from '../../support/postgres.ts';
import { topicEdition, TOPICS } from '../../support/topic-edition.ts';
import type { Row } from '../report.ts';

const REQUESTS = 1_000;
const DELIVERIES = 10_000;
const AT_ONCE = 16;
const ALWAYS = { confirm: async () => {} };

/** Measures the store alone, with every commit on disk. */
export async function store(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-store-'));
  const server = onPostgres.skip === false ? await PostgresServer.start([]) : undefined;
  try {
    const rows = await measure('SQLite', openSqlite(join(folder, 'hub.sqlite')));
    if (!server) return rows;
    const postgres = openPostgres<HubTables>(await server.database(), silent);
    return [...rows, ...(await measure('PostgreSQL', postgres))];
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(engine: string, store: HubStore): Promise<Row[]> {
  await createTables(store);
  const requests = new Requests(store, SECRETS, ALWAYS, 1e6);
  const topics = new Topics(store, ALWAYS);
  const deliveries = new Deliveries(store, SECRETS, ALWAYS);
  const publish = (text: string) => topics.offer(topicFiles(topicEdition(text)), true);
  await topics.add(Object.values(TOPICS));
  await publish('the first');
  const accepting = await seconds(async () => {
    let next = 0;
    const wish = { mode: 'subscribe', secret: null, leaseSeconds: 3600 } as const;
    const client = async () => {
      while (next < REQUESTS) {
        const callback = `https://127.0.0.1/${next++}`;
        await requests.add({ ...wish, topicUrl: TOPICS.atom, callback }, '');
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
  });
  const verifying = await seconds(async () => {
    for (;;) {
      const ids = (await requests.due(256)).map(({ id }) => id);
      if (ids.length === 0) return;
      for (const taken of await requests.take(ids)) {
        await requests.settle(taken, { kind: 'confirmed', askedAt: taken.takenAt });
      }
    }
  });
  let delivered = 0;
  const delivering = await seconds(async () => {
    for (let version = 2; delivered < DELIVERIES; version++) {
      await publish(`version ${version}`);
      const [topic] = await topics.published();
      for await (const due of deliveries.due(topic!)) {
        const taken = await deliveries.take(due.map(({ id }) => id));
        const verdict = { kind: 'delivered' } as const;
        await deliveries.settle(
          taken.map((delivery) => ({ delivery, verdict, pace: 'prompt', answered: true })),
        );
        delivered += taken.length;
      }
    }
  });
  await store.close();
  return [
    row(`${engine}: requests kept`, REQUESTS / accepting),
    row(`${engine}: verifications settled`, REQUESTS / verifying),
    row(`${engine}: deliveries taken and settled`, delivered / delivering),
  ];
}

function row(work: string, rate: number): Row {
  return { work, against: '', ratio: undefined, note: `${rate.toFixed(0)} a second` };
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
