import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { explainItself } from '../support/explain-itself.ts';
import type { Bench } from './bench.ts';
import { buildGrowth } from './benches/build-growth.ts';
import { coldStart } from './benches/cold-start.ts';
import { countGroups } from './benches/count-groups.ts';
import { dearest } from './benches/dearest.ts';
import { memory } from './benches/memory.ts';
import { searchEngines } from './benches/search-engines.ts';
import { searchQuality } from './benches/search-quality.ts';
import { searchHttp } from './benches/search-http.ts';
import { since } from './benches/since.ts';
import { staticFiles } from './benches/static-files.ts';
import { swaps } from './benches/swaps.ts';
import { textGrowth } from './benches/text-growth.ts';
import { Editions } from './editions.ts';
import { crash } from './hub/crash.ts';
import { fanOut } from './hub/fan-out.ts';
import { isMet, saveRows, table, type Row } from './report.ts';

// Fails if a goal is missed, unless the row has the reason.
// npm run bench [-- name …] [--size N] [--json FILE] [--last FILE] [--editions FOLDER]
//   --size      reviews, or subscriptions, instead of 10,000
//   --json      also writes the rows to a file
//   --last      shows the rows of such a file beside those of this run
//   --editions  keeps the generated editions in a folder, and reuses existing ones

const BENCHES: Record<string, Bench> = {
  'search-http': searchHttp,
  'search-engines': searchEngines,
  'search-quality': searchQuality,
  'count-groups': countGroups,
  dearest,
  'static-files': staticFiles,
  since,
  'cold-start': coldStart,
  memory,
  swaps,
  'build-growth': buildGrowth,
  'text-growth': textGrowth,
  'hub-fan-out': fanOut,
  'hub-crash': crash,
};

explainItself(import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '10000' },
    json: { type: 'string' },
    last: { type: 'string' },
    editions: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(
    `no bench is named ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`,
  );
  process.exit(1);
}

const last = values.last && (JSON.parse(await readFile(values.last, 'utf8')) as Row[]);
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const rows = await run(names);
console.log(table(rows, last || undefined));
if (rows.some((row) => isMet(row) === false && !row.reason)) process.exitCode = 1;
if (values.json !== undefined) await saveRows(values.json, rows);

async function run(names: readonly string[]): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-bench-'));
  const editions = new Editions(resolve(values.editions ?? join(folder, 'editions')));
  const rows: Row[] = [];
  try {
    for (const name of names) {
      console.error(`${name} …`);
      rows.push(...(await BENCHES[name]!({ editions, size: Number(values.size), folder })));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
