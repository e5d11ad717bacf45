import assert from 'node:assert/strict';
import { reportOf } from '../../src/owner/commands/import-report.ts';
import type { ImportResult } from '../../src/owner/import/import-files.ts';
import { parseMap } from '../../src/owner/import/field-map.ts';
import { type Dataset, test } from '../support/import.ts';

const map = parseMap('id=id,rating=stars,date=day,author=name,text=text');

/** A Yelp export with the reviews of some numbers, each by another author. */
function exportOf(from: number, to: number, broken: Readonly<Record<number, string>> = {}): string {
  const lines = ['id,stars,day,name,text'];
  for (let number = from; number < to; number++) {
    const id = `${from >= 1000 ? 'other' : 'r'}${number}`;
    lines.push(`${id},${broken[number] ?? '4'},2024-05-06,Guest ${number},Text number ${number}`);
  }
  return lines.join('\n');
}

const take = (dataset: Dataset, text: string, withdraw?: boolean | number) =>
  dataset.runText('export.csv', text, { map, source: 'yelp', withdraw });

function reportLines(result: ImportResult): string {
  return reportOf(result, { 'dry-run': false, rows: false }).join('\n');
}

test('an import that skips a row withdraws nothing, and says which rows to correct', async (dataset) => {
  await take(dataset, exportOf(0, 8));
  const before = await dataset.files();
  const newer = exportOf(1, 8, { 3: 'many', 5: 'soon', 7: '?' });
  await assert.rejects(
    take(dataset, newer, true),
    /^ImportError: export\.csv: cannot tell which reviews are gone, because 3 of its rows were skipped: its rating … is not a rating \(3\)\. Correct the rows/,
  );
  assert.deepEqual(await dataset.files(), before);
  assert.doesNotMatch(reportLines(await take(dataset, newer)), /--withdraw|lacks/);
});

test('a part of one file protects the reviews of all files', async (dataset) => {
  await take(dataset, exportOf(0, 8));
  const page = JSON.stringify({
    reviews: [{ id: 'p', time_created: '2024-05-06', rating: 4, user: { name: 'Ada' } }],
    total: 9,
  });
  const part =
    /page\.json: .* the platform has 9 reviews, and it has 1\. Use --withdraw with a full/;
  await assert.rejects(dataset.runText('page.json', page, { withdraw: true }), part);
});

test('a few missing reviews are withdrawn; for more, the number must be stated', async (dataset) => {
  await take(dataset, exportOf(0, 60));
  const missing4 = exportOf(4, 60);
  assert.match(
    reportLines(await take(dataset, missing4)),
    /this export lacks 4 of the 60 imported from yelp; if it is a full one, add --withdraw-exactly 4$/m,
  );
  const before = await dataset.files();
  const many =
    /--withdraw would withdraw 4 of the 60 imported from yelp\. .* --withdraw-exactly 4$/;
  await assert.rejects(take(dataset, missing4, true), many);
  await assert.rejects(take(dataset, missing4, 5), /5 reviews are not the number that is gone: /);
  assert.deepEqual(await dataset.files(), before);
  assert.equal((await take(dataset, missing4, 4)).counts.withdrawn, 4);
  const missing2 = exportOf(6, 60);
  const report = reportLines(await take(dataset, missing2));
  assert.match(report, /lacks 2 of the 56 .* one, add --withdraw$/m);
  assert.equal((await take(dataset, missing2, true)).counts.withdrawn, 2);
});

test("another branch's export is not taken for a full one", async (dataset) => {
  await take(dataset, exportOf(0, 2));
  const branch = exportOf(1000, 1002);
  await assert.rejects(take(dataset, branch, true), /would withdraw 2 of the 2 imported from yelp/);
  const report = reportLines(await take(dataset, branch));
  assert.match(report, /lacks 2 of the 2 .*: it may be of another place, or a part$/m);
  assert.doesNotMatch(report, /--withdraw/);
});

test('many reviews that are gone of one of two platforms need the number', async (dataset) => {
  const both = (few: number, many: number) => {
    const [header, ...rows] = exportOf(0, 120).split('\n');
    const kept = rows.filter((_, at) => at >= few && (at < 60 || at >= 60 + many));
    const platforms = kept.map((row) => `${row},${rows.indexOf(row) < 60 ? 'yelp' : 'google'}`);
    return [`${header},platform`, ...platforms].join('\n');
  };
  const take = (text: string) =>
    dataset.runText('export.csv', text, { map: { ...map, source: ['platform'] } });
  await take(both(0, 0));
  const lacks =
    /lacks 5 of the 60 imported from google and 1 of the 60 imported from yelp; .* --withdraw-exactly 6$/m;
  assert.match(reportLines(await take(both(1, 5))), lacks);
});
