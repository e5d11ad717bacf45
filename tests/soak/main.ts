import { printResults } from '../attack/report.ts';
import { soakRows } from '../attack/families/soak.ts';

// npm run soak [-- SECONDS]
//   default 600; two replicas over PostgreSQL if it is installed, otherwise one on SQLite

const seconds = Number(process.argv[2] ?? 600);
if (!Number.isSafeInteger(seconds) || seconds < 10) {
  console.error('SECONDS is a whole number from 10');
  process.exit(1);
}
const rows = await soakRows({
  idleMs: Math.min(20_000, seconds * 100),
  loadMs: seconds * 1000,
  killEveryMs: 30_000,
  publishEveryMs: 5_000,
});
process.exitCode = printResults(rows.map((row) => ({ family: 'soak', ...row })));
