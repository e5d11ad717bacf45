import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { importReviews } from '../../src/owner/commands/import.ts';
import { emptyDataset, type Dataset } from '../support/import.ts';
import { runHere } from '../support/run-here.ts';

/** As spreadsheets on Windows save it: with a byte order mark and CRLF, also inside a cell. */
const EXPORT = [
  '\ufeffReview Id,Review Created (UTC),Review Username,Review Title,Review Content,Review Stars',
  'a1,2024-05-01 10:00:00,Ada Lind,Great,"Came early.\r\nCall me: +1 207 555 0142",5',
  'a2,2024-05-02 10:00:00,Bo Berg,Late,"Said ""tomorrow"", came on Friday.",2',
  'a3,2024-05-03 10:00:00,Cy Falk,None,,0',
].join('\r\n');

async function importText(dataset: Dataset, text: string, ...args: string[]): Promise<string> {
  const file = join(dataset.folder, '..', 'export.csv');
  await writeFile(file, text);
  const { output, error } = await runHere(importReviews, dataset.folder, [file, ...args]);
  if (error) throw error;
  return output;
}

test('reports what it recognized, took, cleaned, skipped and misses', async (context) => {
  const dataset = await emptyDataset(context);
  const output = await importText(dataset, EXPORT);
  assert.match(output, /export\.csv: CSV, Trustpilot business export; 3 rows/);
  assert.match(output, /verified on trustpilot means: Published on Trustpilot/);
  assert.match(output, /^personal data export\.csv:2 phone number$/m);
  assert.match(output, /2 added, 0 changed, 0 withdrawn, 0 unchanged, 1 skipped/);
  assert.match(output, /1 skipped: its rating … is not a rating/);
  assert.match(output, /Wrote imports\.jsonl, journal\/\d{4}\.jsonl, reviews\/2024\.jsonl/);
  assert.deepEqual(
    (await dataset.records()).map(({ text }) => text),
    ['Came early.\nCall me: +1 207 555 0142', 'Said "tomorrow", came on Friday.'],
  );
  const shorter = await importText(dataset, EXPORT.split('\r\na2')[0]!);
  assert.match(shorter, /this export lacks 1 of the 2 imported .* add --withdraw$/m);
});

test('lists every row on request, and writes nothing in a dry run', async (context) => {
  const dataset = await emptyDataset(context);
  const before = await dataset.files();
  const output = await importText(dataset, EXPORT, '--rows', '--dry-run');
  assert.match(output, /^added export\.csv:2 \w{26} 2024-05-01, 5 of 5 on trustpilot$/m);
  assert.match(output, /^skipped export\.csv:4 its rating "0" is not a rating$/m);
  assert.match(output, /Nothing was written: this was a dry run\./);
  assert.deepEqual(await dataset.files(), before);
});

test('is completed when nobody reads its output to the end', async (context) => {
  const dataset = await emptyDataset(context);
  const file = join(dataset.folder, '..', 'export.csv');
  await writeFile(file, EXPORT);
  const env = { ...process.env, CONTENT_DIR: dataset.folder };
  const child = spawn(process.execPath, ['src/owner/main.ts', 'import', file, '--rows'], { env });
  child.stdout.destroy();
  const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.deepEqual({ errors, status }, { errors: '', status: 0 });
  assert.equal((await dataset.records()).length, 2);
});
