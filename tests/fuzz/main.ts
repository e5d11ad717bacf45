import { parseArgs } from 'node:util';
import { explainItself } from '../support/explain-itself.ts';
import { PostgresServer } from '../support/postgres.ts';
import { fuzzRun } from './fuzz-run.ts';

// npm run fuzz [-- COUNT] [--seed N] [--from INDEX] [--postgresql]
//   COUNT   requests, 50000 when left out
//   --seed  makes the same requests again
//   --from  number of the first request: with 1 as COUNT, one that failed, by itself
//   --postgresql  keeps the hub's state in a PostgreSQL server of its own, not in SQLite

explainItself(import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    from: { type: 'string' },
    postgresql: { type: 'boolean', default: false },
  },
});
const count = Number(positionals[0] ?? 50_000);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const from = Number(values.from ?? 0);
if (![count, seed, from].every((value) => Number.isSafeInteger(value) && value >= 0)) {
  console.error('COUNT, --seed and --from are whole numbers');
  process.exit(1);
}

console.log(`${count} requests, seed ${seed} …`);
await using server = values.postgresql ? await PostgresServer.start([]) : undefined;
const databaseUrl = await server?.database();
const { statuses, failures, seconds } = await fuzzRun({
  seed,
  from,
  count,
  slow: count > 1,
  databaseUrl,
});
for (const { what, index, sent } of failures) {
  console.error(index === undefined ? what : `#${index} ${what}\n  ${sent}`);
  if (index !== undefined) console.error(`  npm run fuzz -- 1 --seed ${seed} --from ${index}`);
}
const answers = Object.entries(statuses).map(([status, times]) => `${status}: ${times}`);
console.log(`answers ${answers.join(', ')}; ${seconds.toFixed(0)} s; ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
