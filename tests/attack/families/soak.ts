import { onPostgres, PostgresServer } from '../../support/postgres.ts';
import { soakRun, type SoakPlan, type SoakReport } from '../../soak/soak-run.ts';
import { percentile } from '../../soak/statistics.ts';
import { atLeast, atMost, none, type Family, type Row, type Scale } from '../family.ts';

const PLANS: Record<Scale, Omit<SoakPlan, 'databaseUrl'>> = {
  short: { idleMs: 300, loadMs: 3_500, killEveryMs: 1_600, publishEveryMs: 700 },
  long: { idleMs: 10_000, loadMs: 120_000, killEveryMs: 30_000, publishEveryMs: 5_000 },
};

/** Shorter runs have too little data to compare times. */
const TIMES_MS = 60_000;
/** Resident memory still grows in the first minutes; the family "heap slope" measures the heap. */
const MEMORY_MS = 600_000;
/** The load is seven clients, restarts and new indexes on the same machine. */
const P99_RATIO = 50;
const MEGABYTES_A_MINUTE = 1;
const MEGABYTE = 2 ** 20;

/**
 * Runs readers of every route, subscribers and new editions while a replica is killed now and then:
 * two replicas over PostgreSQL if it is installed, otherwise one on SQLite. `npm run soak` takes
 * longer.
 */
export const soak: Family = {
  name: 'soak',
  isLong: true,
  run: (scale) => soakRows(PLANS[scale]),
};

export async function soakRows(plan: Omit<SoakPlan, 'databaseUrl'>): Promise<Row[]> {
  const server = onPostgres.skip === false ? await PostgresServer.start() : undefined;
  try {
    const report = await soakRun({ ...plan, databaseUrl: await server?.database() });
    return [...rowsOf(report), ...comparisons(report, plan.loadMs)];
  } finally {
    await server?.stop();
  }
}

function rowsOf({ load, unanswered, lost, errors, kills, editions }: SoakReport): Row[] {
  return [
    atLeast('answers', load.answers, 100),
    none('wrong answers', load.wrong),
    none('failures of a replica that was not killed', load.failed),
    none('routes and kinds of files that were not read', unanswered),
    atMost('subscribers without the newest edition', lost, 0),
    none('errors logged', errors),
    atLeast('kills', kills, 1),
    atLeast('editions', editions, 4),
  ];
}

function comparisons({ idle, load, memorySlope }: SoakReport, loadMs: number): Row[] {
  const rows: Row[] = [];
  if (loadMs >= TIMES_MS) {
    const slower = percentile(load.times, 99) / percentile(idle.times, 99);
    rows.push(atMost('p99 of an answer, times that of an idle service', slower, P99_RATIO));
  }
  // A single replica is killed too often to tell.
  if (loadMs >= MEMORY_MS && memorySlope !== undefined) {
    rows.push(atMost('memory', memorySlope / MEGABYTE, MEGABYTES_A_MINUTE, 'MB a minute'));
  }
  return rows;
}
