import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import type { JournalEntry } from '../../src/schema/journal.ts';
import { assertIssues, contentFolder, issuesOf } from '../support/content-folder.ts';
import { journalOf } from '../support/journal.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

const records = [record(), record({ id: ulidOf(2), text: 'Late.' })];
const [first, second, third, fourth] = journalOf(
  { at: '2025-12-31T23:00:00Z', records },
  { at: '2026-02-01T00:00:00Z', records: [record({ rating: 4 }), records[1]!] },
  { at: '2026-02-02T00:00:00Z', records: [record({ rating: 3 }), records[1]!] },
) as [JournalEntry, JournalEntry, JournalEntry, JournalEntry];

function folderOf(year2025: readonly object[], year2026: readonly object[]) {
  return {
    'reviews/2026.jsonl': jsonl(record({ rating: 3 }), records[1]!),
    'journal/2025.jsonl': jsonl(...year2025),
    'journal/2026.jsonl': jsonl(...year2026),
  };
}

test('reads the journal of all years in order', async (context) => {
  const folder = await contentFolder(context, folderOf([first, second], [third, fourth]));
  const { journal } = await readContent(folder);
  assert.deepEqual(journal.entries, [first, second, third, fourth]);
  assert.equal(journal.chain.head.seq, 4);
});

const IN_2025 = [first, second];

/** Each breaks the journal in one way, and is named once, where it shows. */
const BROKEN: [issue: string, year2025: object[], year2026: object[]][] = [
  ['2025.jsonl:2: previous: is not the hash', [{ ...first, date: '2026-02-28' }, second], [third]],
  ['2026.jsonl:1: seq: entry 3 is missing before it (was 4)', IN_2025, [fourth]],
  ['2026.jsonl:1: seq: entries 1 to 2 are missing before it (was 3)', [], [third, fourth]],
  ['2025.jsonl:3: seq: is already used above: two branches', [...IN_2025, second], [third]],
  ['2026.jsonl:1: id: was never added', IN_2025, [{ ...third, id: ulidOf(9) }]],
  ['2026.jsonl:1: id: was added before', IN_2025, [{ ...third, change: 'added' }]],
  ['2026.jsonl:1: before: is not the hash', IN_2025, [{ ...third, before: second.after }]],
  ['2026.jsonl:1: change: must be edited', IN_2025, [{ ...third, change: 'replied' }]],
  ['2026.jsonl:1: reason: is miss', IN_2025, [{ ...third, change: 'withdrawn', after: null }]],
  ['2025.jsonl:2: at: is before 2025', [first, { ...second, at: '2025-12-30T00:00:00Z' }], []],
  ['2025.jsonl:3: at: belongs in journal/2026', [...IN_2025, third], []],
];

for (const [issue, year2025, year2026] of BROKEN) {
  test(`names the line of a broken journal: ${issue}`, (context) =>
    assertIssues(context, folderOf(year2025, year2026), [`journal/${issue}`]));
}

test('two branches that both recorded changes are one clear issue', async (context) => {
  const [, , ours] = journalOf(
    { at: first.at, records },
    { at: '2026-02-01T09:00:00Z', records: [records[0]!, record({ id: ulidOf(2), rating: 1 })] },
  );
  const conflict = `<<<<<<< HEAD\n${jsonl(ours!)}=======\n${jsonl(third, fourth)}>>>>>>> other\n`;
  const files = folderOf([first, second], []);
  await refusesFork(context, { ...files, 'journal/2026.jsonl': conflict }, 1);
  // As a union merge leaves it.
  await refusesFork(context, folderOf([first, second], [ours!, third, fourth]), 2);
});

async function refusesFork(context: TestContext, files: Record<string, string>, line: number) {
  const issues = await issuesOf(context, files);
  assert.equal(issues.length, 1, issues.join('\n'));
  const way =
    /two branches.* Keep the lines of the one that was published, delete those of the other, and run npm run reviews -- record/;
  assert.match(issues[0]!, way);
  assert.ok(issues[0]!.startsWith(`content/journal/2026.jsonl:${line}:`), issues[0]);
}
