import { parseArgs } from 'node:util';
import { attack } from './attack.ts';
import { FAMILIES } from './families.ts';
import { printResults, type Result } from './report.ts';

// npm run attack [-- family …] [--short]
//   --short  the scale of the tests: seconds in place of minutes

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' } },
});
const known = FAMILIES.map(({ name }) => name);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no family is named ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(1);
}
const chosen = FAMILIES.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
const results: Result[] = [];
for (const family of chosen) {
  const began = performance.now();
  process.stderr.write(`${family.name} …`);
  results.push(...(await attack(family, values.short ? 'short' : 'long')));
  process.stderr.write(` ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
}
process.exitCode = printResults(results);
