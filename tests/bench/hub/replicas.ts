import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createTables, type HubTables } from '../../../sidecar/hub/store/tables.ts';
import { openPostgres } from '../../../sidecar/store/postgres.ts';
import { silent } from '../../support/edition.ts';
import { SECRETS } from '../../support/hub.ts';
import { partsByReplica } from '../../support/parts.ts';
import { onPostgres, PostgresServer } from '../../support/postgres.ts';
import { makeTestCa } from '../../support/test-ca.ts';
import { TOPICS } from '../../support/topic-edition.ts';
import type { Row } from '../report.ts';
import type { ReplicaMessage, ReplicaOrder, ReplicaReport } from './replica.ts';
import type { SinkOrder, SinkPorts } from './sink.ts';

/** Subscribers that take as long to respond. */
const RESPONSE_MS = 200;
/** Enough for the places of four replicas, at two exchanges a host. */
const HOSTS = 512;
const REPLICAS = [1, 2, 4];
const GOALS: Record<number, number> = { 2: 0.55, 4: 0.3 };
const SECRET = 'a secret that is used to sign';
const INSERTED_AT_ONCE = 500;

/**
 * Compares the time in which replicas on one PostgreSQL deliver to slow subscribers with that of one.
 * Waiting for responses is most of it, so two cores are enough for four replicas.
 *
 * @param postSeconds processor time of one signed post without a hub
 */
export async function onReplicas(subscribers: number, postSeconds: number): Promise<Row[]> {
  if (onPostgres.skip !== false) return [];
  const server = await PostgresServer.start([]);
  const sink = fork(join(import.meta.dirname, 'sink.ts'));
  try {
    const { ca, issue } = makeTestCa();
    const order: SinkOrder = {
      pair: issue(['*.many.localhost']),
      addresses: ['127.0.0.1'],
      responseMs: RESPONSE_MS,
    };
    sink.send(order);
    const [[port]] = (await once(sink, 'message')) as [SinkPorts];
    const rows: Row[] = [];
    let alone = 0;
    for (const replicas of REPLICAS) {
      const databaseUrl = await server.database();
      await insertSubscribers(databaseUrl, subscribers, port!);
      const { seconds, cpuSeconds } = await push({ databaseUrl, ca }, replicas, subscribers);
      if (replicas === 1) alone = seconds;
      const own = `${subscribers} slow subscribers, replicas: ${replicas}`;
      rows.push({
        work: `seconds of a push, ${own}`,
        against: 'one replica',
        ratio: seconds / alone,
        ...(replicas in GOALS && { goal: { is: 'most', value: GOALS[replicas]! } }),
        note: `${seconds.toFixed(1)} s, ${(subscribers / seconds).toFixed(0)} a second`,
      });
      rows.push({
        work: `deliveries a CPU second, ${own}`,
        against: 'https keep-alive, signed',
        ratio: postSeconds / (cpuSeconds / subscribers),
        note: `${((cpuSeconds / subscribers) * 1e6).toFixed(0)} : ${(postSeconds * 1e6).toFixed(0)} µs`,
      });
    }
    return rows;
  } finally {
    sink.disconnect();
    await server.stop();
  }
}

async function insertSubscribers(url: string, subscribers: number, port: number): Promise<void> {
  const store = openPostgres<HubTables>(url, silent);
  await createTables(store);
  await sql`insert into topic (url) values (${TOPICS.atom})`.execute(store.db);
  for (let first = 0; first < subscribers; first += INSERTED_AT_ONCE) {
    const count = Math.min(INSERTED_AT_ONCE, subscribers - first);
    const rows = Array.from({ length: count }, (_, index) => {
      const host = `h${(first + index) % HOSTS}.many.localhost`;
      return {
        topic_id: 1,
        callback: `https://${host}:${port}/${first + index}`,
        host,
        pace: 'prompt',
        sealed_secret: SECRETS.seal(SECRET),
        expires_at: Date.now() + 3_600_000,
        acknowledged: 1,
      };
    });
    await store.db.insertInto('subscription').values(rows).execute();
  }
  await sql`analyze`.execute(store.db);
  await store.close();
}

/** Publishes to replicas once they share the parts, and waits until every acknowledgment is written. */
async function push(order: ReplicaOrder, replicas: number, subscribers: number) {
  const store = openPostgres<HubTables>(order.databaseUrl, silent);
  const children = await Promise.all(Array.from({ length: replicas }, () => start(order)));
  try {
    const share = Math.floor(64 / replicas);
    for (let shares: number[] = []; shares.length < replicas || Math.min(...shares) < share;) {
      await delay(100);
      shares = await partsByReplica(order.databaseUrl);
    }
    await delay(2_000); // the last look of each for work is over
    const began = performance.now();
    const message = { publish: 'after', time: '2026-02-01T00:00:00Z' };
    for (const child of children) tell(child, message);
    for (let owed = 1; owed > 0;) {
      await delay(50);
      const query = sql<{ owed: number }>`select count(*) as owed from subscription
        where acknowledged < 2`;
      owed = (await query.execute(store.db)).rows[0]!.owed;
    }
    const seconds = (performance.now() - began) / 1000;
    const reports = await Promise.all(children.map((child) => report(child)));
    const delivered = reports.reduce((sum, one) => sum + one.delivered, 0);
    if (delivered !== subscribers) throw new Error(`${delivered} deliveries to ${subscribers}`);
    return { seconds, cpuSeconds: reports.reduce((sum, one) => sum + one.cpuSeconds, 0) };
  } finally {
    for (const child of children) tell(child, 'end');
    await Promise.all(children.map((child) => once(child, 'exit')));
    await store.close();
  }
}

async function start(order: ReplicaOrder): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'replica.ts'), {
    execArgv: ['--max-semi-space-size=8'],
  });
  child.send(order);
  await once(child, 'message');
  return child;
}

async function report(child: ChildProcess): Promise<ReplicaReport> {
  tell(child, 'report');
  return ((await once(child, 'message')) as [ReplicaReport])[0];
}

function tell(child: ChildProcess, message: ReplicaMessage): void {
  child.send(message);
}
