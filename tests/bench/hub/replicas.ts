import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createTables, type HubTables } from '../../../sidecar/hub/store/tables.ts';
import { openPostgres } from '../../../sidecar/store/postgres.ts';
import { silent } from '../../support/edition.ts';
import { partsByReplica } from '../../support/parts.ts';
import { onPostgres, PostgresServer } from '../../support/postgres.ts';
import { makeTestCa } from '../../support/test-ca.ts';
import { TOPICS } from '../../support/topic-edition.ts';
import type { Row } from '../report.ts';
import { ask, forkWith } from './children.ts';
import { insertSubscribers } from './counting-hub.ts';
import type { ReplicaMessage, ReplicaOrder, ReplicaReport } from './replica.ts';
import type { SinkOrder, SinkPorts } from './sink.ts';

/** Subscribers that take as long to respond. */
const RESPONSE_MS = 200;
/** Enough for the places of four replicas, at two exchanges a host. */
const HOSTS = 512;
const REPLICAS = [1, 2, 4];
const GOALS: Record<number, number> = { 2: 0.55, 4: 0.3 };

/**
 * Compares the time in which replicas on one PostgreSQL deliver to slow subscribers with that of one.
 * Waiting for responses is most of it, so two cores are enough for four replicas.
 *
 * @param postSeconds processor time of one signed post without a hub
 */
export async function onReplicas(subscribers: number, postSeconds: number): Promise<Row[]> {
  if (onPostgres.skip !== false) return [];
  await using server = await PostgresServer.start([]);
  const { ca, issue } = makeTestCa();
  const order: SinkOrder = {
    pair: issue(['*.many.localhost']),
    addresses: ['127.0.0.1'],
    responseMs: RESPONSE_MS,
  };
  const { child: sink, answer: ports } = await forkWith<SinkPorts>('sink.ts', order);
  try {
    const rows: Row[] = [];
    let alone = 0;
    for (const replicas of REPLICAS) {
      const databaseUrl = await server.database();
      await fill(databaseUrl, subscribers, ports[0]!);
      const { seconds, cpuSeconds } = await push({ databaseUrl, ca }, replicas, subscribers);
      if (replicas === 1) alone = seconds;
      const own = `${subscribers} slow subscribers, replicas: ${replicas}`;
      rows.push({
        work: `seconds of a push, ${own}`,
        against: 'one replica',
        ratio: seconds / alone,
        ...(replicas in GOALS && { goal: { is: 'max', value: GOALS[replicas]! } }),
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
  }
}

/** Creates the tables of a hub that has published the Atom topic once, with its subscribers. */
async function fill(url: string, subscribers: number, port: number): Promise<void> {
  const store = openPostgres<HubTables>(url, silent);
  await createTables(store);
  await sql`insert into topic (url) values (${TOPICS.atom})`.execute(store.db);
  const callbackOf = (number: number) =>
    `https://h${number % HOSTS}.many.localhost:${port}/${number}`;
  await insertSubscribers(store, subscribers, callbackOf, { acknowledged: 1, pace: 'prompt' });
  await sql`analyze`.execute(store.db);
  await store.close();
}

/** Publishes to replicas once they share the parts, and waits until every acknowledgment is written. */
async function push(order: ReplicaOrder, replicas: number, subscribers: number) {
  const store = openPostgres<HubTables>(order.databaseUrl, silent);
  const started = await Promise.all(
    Array.from({ length: replicas }, () => forkWith<'ready'>('replica.ts', order)),
  );
  const children = started.map(({ child }) => child);
  try {
    const share = Math.floor(64 / replicas);
    for (let shares: number[] = []; shares.length < replicas || Math.min(...shares) < share;) {
      await delay(100);
      shares = await partsByReplica(order.databaseUrl);
    }
    await delay(2_000); // the last look of each for work is over
    const began = performance.now();
    const message: ReplicaMessage = { publish: 'after', time: '2026-02-01T00:00:00Z' };
    for (const child of children) child.send(message);
    for (let owed = 1; owed > 0;) {
      await delay(50);
      const query = sql<{ owed: number }>`select count(*) as owed from subscription
        where acknowledged < 2`;
      owed = (await query.execute(store.db)).rows[0]!.owed;
    }
    const seconds = (performance.now() - began) / 1000;
    const reports = await Promise.all(children.map((child) => ask<ReplicaReport>(child, 'report')));
    const delivered = reports.reduce((sum, one) => sum + one.delivered, 0);
    if (delivered !== subscribers) throw new Error(`${delivered} deliveries to ${subscribers}`);
    return { seconds, cpuSeconds: reports.reduce((sum, one) => sum + one.cpuSeconds, 0) };
  } finally {
    for (const child of children) child.send('end');
    await Promise.all(children.map((child) => once(child, 'exit')));
    await store.close();
  }
}
