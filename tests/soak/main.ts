import { onPostgres, PostgresServer } from '../support/postgres.ts';
import { percentile } from '../support/statistics.ts';
import { soakRun, type SoakReport } from './soak-run.ts';

// npm run soak [-- SECONDS]
//   default 600; two replicas over PostgreSQL if it is installed, otherwise one on SQLite

const seconds = Number(process.argv[2] ?? 600);
if (!Number.isSafeInteger(seconds) || seconds < 10) {
  console.error('SECONDS is a whole number from 10');
  process.exit(1);
}

/** Shorter runs have too little data to compare times. */
const TIMES_S = 60;
/** Resident memory still grows in the first minutes. */
const MEMORY_S = 600;
/** The load is seven clients, restarts and new indexes on the same machine. */
const P99_RATIO = 50;
const MEGABYTES_A_MINUTE = 1;

const server = onPostgres.skip === false ? await PostgresServer.start() : undefined;
try {
  const report = await soakRun({
    idleMs: Math.min(20_000, seconds * 100),
    loadMs: seconds * 1000,
    killEveryMs: Math.min(30_000, seconds * 250),
    publishEveryMs: Math.min(5_000, seconds * 100),
    databaseUrl: await server?.database(),
  });
  const { load, editions, deliveries, kills } = report;
  console.log(`${load.answers} answers, ${editions} editions, ${deliveries} deliveries`);
  console.log(`${load.duringKills} requests failed in ${kills} kills, as they may`);
  const failures = failuresOf(report);
  for (const failure of failures) console.error(failure);
  console.log(`${failures.length} failures`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await server?.stop();
}

function failuresOf({ idle, load, lost, memorySlope, ...report }: SoakReport): string[] {
  const failures = [
    ...load.wrong.map((answer) => `wrong: ${answer}`),
    ...load.failed.map((failure) => `failed though no replica was killed: ${failure}`),
    ...report.unanswered.map((kind) => `never read: ${kind}`),
    ...report.errors.map((line) => `logged: ${line}`),
  ];
  if (lost > 0) failures.push(`${lost} subscribers have not the newest edition`);
  if (load.answers < 100 || report.kills < 1 || report.editions < 4) failures.push('too little');
  const slower = percentile(load.times, 99) / percentile(idle.times, 99);
  console.log(`p99 of an answer: ${slower.toFixed(1)} × that of an idle service (≤ ${P99_RATIO})`);
  if (seconds >= TIMES_S && !(slower <= P99_RATIO)) failures.push('answers are too slow');
  if (memorySlope === undefined) return failures; // a single replica is killed too often to tell
  const growth = memorySlope / 2 ** 20;
  console.log(`memory: ${growth.toFixed(2)} MB a minute (≤ ${MEGABYTES_A_MINUTE})`);
  if (seconds >= MEMORY_S && growth > MEGABYTES_A_MINUTE) failures.push('memory grows');
  return failures;
}
