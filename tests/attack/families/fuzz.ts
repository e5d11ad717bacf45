import { fuzzRun } from '../../fuzz/fuzz-run.ts';
import { none, type Family, type Row, type Scale } from '../family.ts';

const COUNT: Record<Scale, number> = { short: 1_000, long: 50_000 };

/** Statuses that show that the requests reach the code they are meant for. */
const STATUSES = [200, 400, 404, 405, 413, 417, 431];

/** Sends malformed requests to every route beside slow clients; `npm run fuzz` repeats one. */
export const fuzz: Family = { name: 'fuzz', run };

async function run(scale: Scale): Promise<Row[]> {
  const plan = { seed: 1, from: 0, count: COUNT[scale], slow: true };
  const { failures, statuses, answers } = await fuzzRun(plan);
  const unanswered = Object.keys(answers).filter((route) => answers[route] === 0);
  const unreached = STATUSES.map(String).filter((status) => !statuses[status]);
  return [
    none(
      `crashes, 5xx, hangs, wrong answers in ${plan.count} requests`,
      failures.map(({ what, index }) => (index === undefined ? what : `#${index} ${what}`)),
    ),
    none(
      `routes and kinds of files that were not reached, of ${Object.keys(answers).length}`,
      unanswered,
    ),
    none('statuses that were not reached', unreached),
  ];
}
