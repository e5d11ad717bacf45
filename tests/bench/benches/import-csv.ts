import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateReviews, sampleReviews } from '../../support/generate.ts';
import { run } from '../../support/run.ts';
import type { Tools } from '../bench.ts';
import type { Row } from '../report.ts';

const ROWS = 100_000;
const MEMORY = 2 ** 30;

interface Cost {
  seconds: number;
  /** The most memory the process had, in bytes. */
  memory: number;
}

/** Compares importing a CSV file with parsing it alone, and its memory with one GiB. */
export async function importCsv({ folder }: Tools): Promise<Row[]> {
  const file = await writeExport(folder, ROWS);
  const imported = await costOfImport(file, folder);
  const parsed = await costOf(['tests/bench/peers/csv-parse.ts', file]);
  return [
    {
      work: `import of ${ROWS} rows of CSV`,
      against: 'csv-parse alone, CPU time',
      ratio: imported.seconds / parsed.seconds,
      goal: { is: 'most', value: 12 },
      note: `${imported.seconds.toFixed(1)} s : ${parsed.seconds.toFixed(1)} s`,
    },
    {
      work: `memory an import of ${ROWS} rows needs`,
      against: '1 GiB',
      ratio: imported.memory / MEMORY,
      goal: { is: 'most', value: 1 },
      note: `${mebibytes(imported)}; csv-parse ${mebibytes(parsed)}`,
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
async function costOfImport(file: string, folder: string): Promise<Cost> {
  const dataset = await mkdtemp(join(folder, 'import-'));
  await writeFile(join(dataset, 'business.json'), '{"name":"A","category":"b"}');
  return costOf(['tests/bench/import-process.ts', file, dataset]);
}

async function costOf(args: readonly string[]): Promise<Cost> {
  const { stdout } = await run(process.execPath, args);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(stdout) as NodeJS.ResourceUsage;
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 };
}

function mebibytes({ memory }: Cost): string {
  return `${Math.round(memory / 2 ** 20)} MiB`;
}
