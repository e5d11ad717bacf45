import { table, type Row } from '../report.ts';
import { crash } from './crash.ts';
import { fanOut } from './fan-out.ts';

// npx node tests/bench/hub/main.ts [fan-out crash]

const BENCHES: Record<string, () => Promise<Row[]>> = { 'fan-out': fanOut, crash };

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`no bench is named ${unknown.join(', ')}; there are ${Object.keys(BENCHES)}`);
  process.exit(1);
}
const rows: Row[] = [];
for (const name of named.length > 0 ? named : Object.keys(BENCHES)) {
  console.error(`${name} …`);
  rows.push(...(await BENCHES[name]!()));
}
console.log(table(rows));
