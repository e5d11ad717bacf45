import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateReviews, sampleReviews } from '../../support/generate.ts';
import { run } from '../../support/run.ts';
import type { Tools } from '../bench.ts';
import type { Row } from '../report.ts';

const SMALL = 10_000;
const LARGE = 100_000;
const LARGEST = 300_000;

interface Cost {
  seconds: number;
  /** The most memory the process had, in bytes. */
  memory: number;
}

/** V8 collects no garbage before it has to; with this heap it has to, so what is held shows. */
const SMALL_HEAP = ['--max-old-space-size=128', '--max-semi-space-size=4'];

/** Compares importing a CSV file with parsing it alone, and the memory that two sizes need. */
export async function importCsv({ folder }: Tools): Promise<Row[]> {
  const small = await writeExport(folder, SMALL);
  const large = await writeExport(folder, LARGE);
  const imported = await costOfImport(large, folder);
  const held = {
    small: await costOfImport(small, folder, SMALL_HEAP),
    large: await costOfImport(large, folder, SMALL_HEAP),
    largest: await costOfImport(await writeExport(folder, LARGEST), folder, SMALL_HEAP),
  };
  const parsed = await costOf(['tests/bench/peers/csv-parse.ts', large]);
  return [
    {
      work: `import of ${LARGE} rows of CSV`,
      against: 'csv-parse alone, CPU time',
      ratio: imported.seconds / parsed.seconds,
      goal: { is: 'most', value: 12 },
      note: `${imported.seconds.toFixed(1)} s : ${parsed.seconds.toFixed(1)} s`,
    },
    {
      work: `memory an import needs, ${SMALL} to ${LARGEST} rows`,
      against: 'the smaller one',
      ratio: held.largest.memory / held.small.memory,
      goal: { is: 'most', value: 1.1 },
      note: `${mebibytes(held.small)}, ${mebibytes(held.large)}, ${mebibytes(held.largest)}; ${mebibytes(imported)} in a heap without limit; csv-parse ${mebibytes(parsed)}`,
    },
  ];
}

async function writeExport(folder: string, count: number): Promise<string> {
  const file = join(folder, `export-${count}.csv`);
  const lines = ['review id,review created (utc),review username,review content,review stars\n'];
  for (const { id, date, author, text = '', rating } of generateReviews(
    await sampleReviews(),
    count,
    1,
  )) {
    lines.push(`${[id, date, author, text, rating].map(quoted).join(',')}\n`);
  }
  await writeFile(file, lines.join(''));
  return file;
}

function quoted(value: string | number | null): string {
  return `"${String(value ?? '').replaceAll('"', '""')}"`;
}

/** Imports into a new dataset. */
async function costOfImport(
  file: string,
  folder: string,
  flags: readonly string[] = [],
): Promise<Cost> {
  const dataset = await mkdtemp(join(folder, 'import-'));
  await writeFile(join(dataset, 'business.json'), '{"name":"A","category":"b"}');
  return costOf([...flags, 'tests/bench/import-process.ts', file, dataset]);
}

async function costOf(args: readonly string[]): Promise<Cost> {
  const { stdout } = await run(process.execPath, args);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(stdout) as NodeJS.ResourceUsage;
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 };
}

function mebibytes({ memory }: Cost): string {
  return `${Math.round(memory / 2 ** 20)} MiB`;
}
