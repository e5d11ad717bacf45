import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateReviews, sampleReviews } from '../../support/generate.ts';
import { run } from '../../support/run.ts';
import type { Tools } from '../bench.ts';
import type { Row } from '../report.ts';

const SMALL = 10_000;
const LARGE = 100_000;

interface Cost {
  seconds: number;
  /** The most memory the process had, in bytes. */
  memory: number;
}

/** Compares importing a CSV file with parsing it alone, and the memory of two sizes. */
export async function importCsv({ folder }: Tools): Promise<Row[]> {
  const small = await writeExport(folder, SMALL);
  const large = await writeExport(folder, LARGE);
  const imported = {
    small: await costOf(
      'tests/bench/import-process.ts',
      small,
      await emptyDataset(folder, 'small'),
    ),
    large: await costOf(
      'tests/bench/import-process.ts',
      large,
      await emptyDataset(folder, 'large'),
    ),
  };
  const parsed = await costOf('tests/bench/peers/csv-parse.ts', large);
  return [
    {
      work: `import of ${LARGE} rows of CSV`,
      against: 'csv-parse alone, CPU time',
      ratio: imported.large.seconds / parsed.seconds,
      goal: { is: 'most', value: 12 },
      note: `${imported.large.seconds.toFixed(1)} s : ${parsed.seconds.toFixed(1)} s`,
    },
    {
      work: `memory of an import, ${SMALL} to ${LARGE} rows`,
      against: 'the smaller one',
      ratio: imported.large.memory / imported.small.memory,
      goal: { is: 'most', value: 2 },
      note: `${mebibytes(imported.small)} to ${mebibytes(imported.large)}; csv-parse ${mebibytes(parsed)}`,
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

async function emptyDataset(folder: string, name: string): Promise<string> {
  const dataset = join(folder, `import-${name}`);
  await mkdir(dataset);
  await writeFile(join(dataset, 'business.json'), '{"name":"A","category":"b"}');
  return dataset;
}

async function costOf(program: string, ...args: readonly string[]): Promise<Cost> {
  const { stdout } = await run(process.execPath, [program, ...args]);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(stdout) as NodeJS.ResourceUsage;
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 };
}

function mebibytes({ memory }: Cost): string {
  return `${Math.round(memory / 2 ** 20)} MiB`;
}
