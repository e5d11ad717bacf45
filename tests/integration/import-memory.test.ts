import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectGarbageNow } from '../support/garbage.ts';
import { emptyDataset, type Dataset } from '../support/import.ts';

/** V8 itself needs this much more or less; an id and a hash kept of each row are hundreds of bytes. */
const BYTES_PER_ROW = 100;
/** Enough rows to fill the buffers that any import has. */
const FEW = 500;
const MANY = 2_500;
const WORDS = 'Came on time and fixed the leak. '.repeat(10);

/** A file of that many rows. */
type Export = (rows: number) => string;

const original: Export = (rows) => table(rows, (row) => reviewRow(row, `Text ${row}`));
const edited: Export = (rows) => table(rows, (row) => reviewRow(row, `Edit ${row}`));
const oneEdit: Export = (rows) => original(rows).replace(`Text ${rows - 1}\n`, 'Edit\n');
const starsAlone: Export = (rows) =>
  table(rows, (row) => `,${dayOf(row)},Author ${row} ${WORDS},5,`);
const oneOther: Export = () => table(1, () => 'other,2026-02-01,Ada,1,Other');

interface Case {
  what: string;
  before?: Export;
  file: Export;
  /** The number of rows it reports. */
  reports: (rows: number) => number;
  withdraw?: boolean;
  dryRun?: boolean;
}

const all = (rows: number) => rows;
const CASES: Case[] = [
  { what: 'a first import', file: original, reports: all },
  { what: 'a dry run', file: original, reports: all, dryRun: true },
  { what: 'an import of stars alone', file: starsAlone, reports: all },
  { what: 'the same file with one edit', before: original, file: oneEdit, reports: () => 1 },
  { what: 'a file with all words edited', before: original, file: edited, reports: all },
  {
    what: 'withdrawing what a full export lacks',
    before: original,
    file: oneOther,
    reports: (rows) => rows + 1,
    withdraw: true,
  },
];

for (const { what, before, file, reports, ...flags } of CASES) {
  test(`${what}: memory does not grow with the rows`, async (context) => {
    const held = async (rows: number): Promise<number> => {
      const dataset = await emptyDataset(context);
      const path = join(dataset.folder, '..', 'reviews.csv');
      if (before) {
        await writeFile(path, before(rows));
        await importTable(dataset, path);
      }
      await writeFile(path, file(rows));
      return importTable(dataset, path, flags, reports(rows));
    };
    const growth = async () => ((await held(MANY)) - (await held(FEW))) / (MANY - FEW);
    await held(MANY); // compiles the code and fills its caches
    let least = await growth();
    // What V8 compiles meanwhile adds to one measurement; what is kept of each row adds to all.
    if (least >= BYTES_PER_ROW) least = Math.min(least, await growth());
    assert.ok(least < BYTES_PER_ROW, `${Math.round(least)} bytes a row`);
  });
}

/** @returns the bytes that are held when a row is reported, while the import has all of them */
async function importTable(
  dataset: Dataset,
  path: string,
  flags: { withdraw?: boolean; dryRun?: boolean } = {},
  measuredAt?: number,
): Promise<number> {
  let reported = 0;
  let bytes = 0;
  await dataset.run([path], {
    ...flags,
    map: { id: ['id'], date: ['date'], author: ['author'], rating: ['rating'], text: ['text'] },
    source: 'google',
    onRow() {
      if (++reported !== measuredAt) return;
      collectGarbageNow();
      const { heapUsed, external } = process.memoryUsage();
      bytes = heapUsed + external;
    },
  });
  assert.equal(reported, measuredAt ?? reported);
  return bytes;
}

function table(rows: number, line: (row: number) => string): string {
  const lines = Array.from({ length: rows }, (_, row) => line(row));
  return ['id,date,author,rating,text', ...lines, ''].join('\n');
}

function reviewRow(row: number, text: string): string {
  return `r${row},${dayOf(row)},Ada,${1 + (row % 5)},${WORDS}${text}`;
}

/** Three reviews a day, so that those of a few years are in several files. */
function dayOf(row: number): string {
  const day = Date.UTC(2020, 0, 1) + Math.floor(row / 3) * 86_400_000;
  return new Date(day).toISOString().slice(0, 10);
}
