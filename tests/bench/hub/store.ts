import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deliveries } from '../../../sidecar/hub/store/deliveries.ts';
import { migrations } from '../../../sidecar/hub/store/migrations.ts';
import { Requests } from '../../../sidecar/hub/store/requests.ts';
import type { HubStore, HubTables } from '../../../sidecar/hub/store/tables.ts';
import { Topics } from '../../../sidecar/hub/store/topics.ts';
import { topicFiles } from '../../../sidecar/hub/topic-files.ts';
import { migrate } from '../../../sidecar/store/migrate.ts';
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
const CLAIM_MS = 30_000;
const LIMITS = { subscriptions: 1e6, perHost: 1e6, pending: 1e6, pendingPerClient: 1e6 };

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
  await migrate(store, migrations(store.engine, SECRETS));
  const requests = new Requests(store, SECRETS, () => performance.now());
  const topics = new Topics(store);
  const deliveries = new Deliveries(store, SECRETS);
  const publish = async (text: string) => {
    const options = { fresh: true, graceMs: 0 };
    for (const file of topicFiles(topicEdition(text))) await topics.offer(file, options);
  };
  await topics.add(Object.values(TOPICS));
  await publish('the first');
  const accepting = await seconds(async () => {
    let next = 0;
    const wish = { mode: 'subscribe', secret: null, leaseSeconds: 3600, client: '' } as const;
    const client = async () => {
      while (next < REQUESTS) {
        const callback = `https://127.0.0.1/${next++}`;
        await requests.add(TOPICS.atom, callback, wish, LIMITS);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
  });
  const verifying = await seconds(async () => {
    for (;;) {
      const ids = (await requests.due(256)).map(({ id }) => id);
      if (ids.length === 0) return;
      for (const taken of await requests.take(ids, CLAIM_MS)) {
        await requests.settle(taken, { kind: 'confirmed', askedAt: taken.takenAt });
      }
    }
  });
  let delivered = 0;
  const delivering = await seconds(async () => {
    for (let version = 2; delivered < DELIVERIES; version++) {
      await publish(`version ${version}`);
      for await (const due of deliveries.due(await topics.published())) {
        const claimed = await deliveries.take(due.map(({ id }) => id), CLAIM_MS); // oxfmt-ignore
        await deliveries.settle(
          claimed.map((delivery) => ({ delivery, verdict: { kind: 'delivered', answer: '204' } })),
        );
        delivered += claimed.length;
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
