import { isMet, table, type Row } from '../bench/report.ts';
import { onPostgres, PostgresServer } from '../support/postgres.ts';
import { soakRun, type SoakReport } from './soak-run.ts';
import { percentile } from './statistics.ts';

// npm run soak [-- SECONDS]
//   600 when left out; two replicas over PostgreSQL where it is installed, else one on SQLite

/** The load is seven clients, restarts and new indexes on the same machine. */
const P99_RATIO = 50;
const MEMORY_SLOPE = 1;

const seconds = Number(process.argv[2] ?? 600);
if (!Number.isSafeInteger(seconds) || seconds < 10) {
  console.error('SECONDS is a whole number from 10');
  process.exit(1);
}
const server = onPostgres.skip === false ? await PostgresServer.start() : undefined;
try {
  const report = await soakRun({
    idleMs: Math.min(20_000, seconds * 100),
    loadMs: seconds * 1000,
    killEveryMs: 30_000,
    publishEveryMs: 5_000,
    databaseUrl: await server?.database(),
  });
  const rows = rowsOf(report);
  console.log(table(rows));
  const { load, errors } = report;
  for (const line of [...load.wrong, ...load.failed, ...errors].slice(0, 20)) console.error(line);
  process.exitCode = rows.some((row) => isMet(row) === false) ? 1 : 0;
} finally {
  await server?.stop();
}

function rowsOf(report: SoakReport): Row[] {
  const { idle, load, memorySlope } = report;
  const [idleP99, p99] = [percentile(idle.times, 99), percentile(load.times, 99)];
  const none = (work: string, count: number, note: string): Row => {
    return { work, against: 'none', ratio: count, goal: { is: 'most', value: 0 }, note };
  };
  return [
    none(
      'wrong answers',
      load.wrong.length,
      `of ${load.answers}, over ${report.editions} editions`,
    ),
    none(
      'failures while nothing was killed',
      load.failed.length,
      `${report.kills} kills, ${load.duringKills} failures of the replica that was down`,
    ),
    none('subscribers without the newest', report.lost, `${report.deliveries} deliveries`),
    none('errors logged', report.errors.length, ''),
    {
      work: 'p99 of an answer',
      against: 'p99 when idle',
      ratio: p99 / idleP99,
      goal: { is: 'most', value: P99_RATIO },
      note: `${p99.toFixed(1)} ms to ${idleP99.toFixed(1)} ms`,
    },
    {
      work: 'memory, MB a minute',
      against: 'flat',
      ratio: memorySlope === undefined ? undefined : memorySlope / 2 ** 20,
      goal: { is: 'most', value: MEMORY_SLOPE },
      note:
        memorySlope === undefined
          ? 'no replica lives long'
          : `${(report.memory / 2 ** 20).toFixed(0)} MB`,
    },
  ];
}
