import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HUB_PATH } from '../../../src/paths.ts';
import { openHubStore } from '../../../sidecar/hub/store/tables.ts';
import { silent } from '../../support/edition.ts';
import { onPostgres, PostgresServer } from '../../support/postgres.ts';
import { startSidecar } from '../../support/sidecar-process.ts';
import { SlimEdition } from '../../support/slim-edition.ts';
import type { Row } from '../report.ts';

const SUBSCRIPTIONS = 10_000;
const MEASURED_MS = 10_000;
const PAUSE_MS = 2;
/** Pings that wait for their response at the same time. */
const PINGS_AT_ONCE = 4;

/** Compares the 99th percentile of a GET while strangers ping the hub with that at rest. */
export async function pings(): Promise<Row[]> {
  const rows = [await measure('SQLite', '')];
  if (onPostgres.skip !== false) return rows;
  const server = await PostgresServer.start([]);
  try {
    return [...rows, await measure('PostgreSQL', await server.database())];
  } finally {
    await server.stop();
  }
}

async function measure(engine: string, DATABASE_URL: string): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-pings-'));
  const edition = await SlimEdition.create(join(folder, 'edition'));
  const sidecar = await startSidecar({
    EDITION: edition.folder,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL,
    HUB_KEY: 'the key of the bench',
    MCP_SECRET: 'the secret of the bench',
    RATE_LIMIT: '0',
  });
  try {
    const ping = async () => {
      const form = { 'hub.mode': 'publish', 'hub.url': edition.topic() };
      const body = new URLSearchParams(form);
      const { status } = await fetch(new URL(HUB_PATH, sidecar.url), { method: 'POST', body });
      if (status !== 202) throw new Error(`a ping was answered ${status}`);
    };
    await ping(); // the hub is open, so its tables are there
    await subscribe(DATABASE_URL, join(folder, 'data'));
    await quantileOfGets(sidecar.url); // warms up
    const rest = await quantileOfGets(sidecar.url);
    let count = 0;
    const over = new AbortController();
    const pinging = Array.from({ length: PINGS_AT_ONCE }, async () => {
      for (; !over.signal.aborted; count++) await ping();
    });
    const busy = await quantileOfGets(sidecar.url);
    over.abort();
    await Promise.all(pinging);
    return {
      work: `p99 of a GET during pings, ${SUBSCRIPTIONS} subscriptions, ${engine}`,
      against: 'at rest',
      ratio: busy / rest,
      goal: { is: 'most', value: 2 },
      note: `${busy.toFixed(1)} : ${rest.toFixed(1)} ms, ${count} pings`,
    };
  } finally {
    sidecar.child.kill('SIGKILL');
    await once(sidecar.child, 'close');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds subscriptions that are owed nothing. */
async function subscribe(databaseUrl: string, dataDir: string): Promise<void> {
  const store = await openHubStore(databaseUrl, dataDir, silent);
  const all = Array.from({ length: SUBSCRIPTIONS }, (_, index) => ({
    topic_id: 1 + (index % 4),
    callback: `https://127.0.0.1/${index}`,
    host: '127.0.0.1',
    expires_at: Date.now() + 3_600_000,
    acknowledged: 1,
  }));
  for (let start = 0; start < all.length; start += 1_000) {
    await store.db
      .insertInto('subscription')
      .values(all.slice(start, start + 1_000))
      .execute();
  }
  await store.close();
}

async function quantileOfGets(url: string): Promise<number> {
  const times: number[] = [];
  for (const until = performance.now() + MEASURED_MS; performance.now() < until;) {
    const started = performance.now();
    await (await fetch(new URL('/feed.xml', url))).arrayBuffer();
    times.push(performance.now() - started);
    await delay(PAUSE_MS);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}
