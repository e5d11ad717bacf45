import { parseArgs } from 'node:util';
import { markdownTable } from '../support/table.ts';
import { FAMILIES } from './families.ts';
import { attack } from './attack.ts';

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
const results = [];
for (const family of chosen) {
  const began = performance.now();
  process.stderr.write(`${family.name} …`);
  results.push(...(await attack(family, values.short ? 'short' : 'long')));
  process.stderr.write(` ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
}
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
process.exitCode = failed === 0 ? 0 : 1;
