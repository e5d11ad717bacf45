import { explainItself } from '../support/explain-itself.ts';
import { soakRun } from './soak-run.ts';

// npm run soak [-- SECONDS]: 600 when left out

explainItself(import.meta.url);
const seconds = Number(process.argv[2] ?? 600);
if (!Number.isSafeInteger(seconds) || seconds < 10) {
  console.error('SECONDS is a whole number from 10');
  process.exit(1);
}

/** Resident memory still grows in the first minutes. */
const MEMORY_S = 600;
const MEGABYTES_A_MINUTE = 1;

const ends: (() => unknown)[] = [];
try {
  const report = await soakRun({ after: (end) => void ends.push(end) }, seconds * 1000);
  const { answers, editions, failures, growth } = report;
  const megabytes = growth / 2 ** 20;
  console.log(`${answers} answers, ${editions} editions`);
  console.log(`memory: ${megabytes.toFixed(2)} MB a minute (≤ ${MEGABYTES_A_MINUTE})`);
  if (seconds >= MEMORY_S && megabytes > MEGABYTES_A_MINUTE) failures.push('memory grows');
  for (const failure of failures) console.error(failure);
  console.log(`${failures.length} failures`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  for (const end of ends.toReversed()) await end();
}
