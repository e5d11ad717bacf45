import { markdownTable } from '../support/table.ts';
import type { Row } from './family.ts';

export type Result = Row & { family: string };

/** Prints the results as a table and counts them. Returns the exit code. */
export function printResults(results: readonly Result[]): 0 | 1 {
  const cells = results.map(({ family, what, value, bound, ok }) => [
    family,
    what,
    value,
    bound,
    ok ? 'yes' : 'NO',
  ]);
  console.log(markdownTable(['family', 'what', 'value', 'bound', 'ok'], cells));
  const failed = results.filter(({ ok }) => !ok).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
