import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import type { JournalEntry } from '../../src/schema/journal.ts';
import { contentFolder, issuesOf } from '../support/content-folder.ts';
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

/** Each breaks the journal in one way, and is named once, where it shows. */
const BROKEN: Record<string, [years: [object[], object[]], issue: RegExp]> = {
  'a line that was changed later': [
    [
      [{ ...first, date: '2026-02-28' }, second],
      [third, fourth],
    ],
    /^content\/journal\/2025\.jsonl:2: previous: is not the hash of the entry above: .* \(was "/,
  ],
  'a line that is gone': [
    [[first, second], [fourth]],
    /^content\/journal\/2026\.jsonl:1: seq: entry 3 is missing before it \(was 4\)$/,
  ],
  'lines that are gone at the start': [
    [[], [third, fourth]],
    /^content\/journal\/2026\.jsonl:1: seq: entries 1 to 2 are missing before it \(was 3\)$/,
  ],
  'a line that is there twice': [
    [[first, second, second], [third]],
    /^content\/journal\/2025\.jsonl:3: seq: is already used above: two branches recorded changes\. Keep .* npm run reviews -- record/,
  ],
  'a change of a review that nothing added': [
    [[first, second], [{ ...third, id: ulidOf(9) }]],
    /^content\/journal\/2026\.jsonl:1: id: was never added \(was "01KE/,
  ],
  'a review that is added twice': [
    [[first, second], [{ ...third, change: 'added' }]],
    /^content\/journal\/2026\.jsonl:1: id: was added before/,
  ],
  'a change from another state than the last': [
    [[first, second], [{ ...third, before: second.after }]],
    /^content\/journal\/2026\.jsonl:1: before: is not the hash that the journal has/,
  ],
  'a change that has the wrong name': [
    [[first, second], [{ ...third, change: 'replied' }]],
    /^content\/journal\/2026\.jsonl:1: change: must be edited, by its hashes \(was "replied"\)$/,
  ],
  'a withdrawal without a reason': [
    [[first, second], [{ ...third, change: 'withdrawn', after: null }]],
    /^content\/journal\/2026\.jsonl:1: reason: is missing$/,
  ],
  'a time before the line above': [
    [[first, { ...second, at: '2025-12-30T00:00:00Z' }], []],
    /^content\/journal\/2025\.jsonl:2: at: is before 2025-12-31T23:00:00Z/,
  ],
  'the file of another year': [
    [[first, second, third], []],
    /^content\/journal\/2025\.jsonl:3: at: belongs in journal\/2026\.jsonl/,
  ],
};

for (const [what, [[year2025, year2026], issue]] of Object.entries(BROKEN)) {
  test(`refuses ${what}, and names the line`, async (context) => {
    const issues = await issuesOf(context, folderOf(year2025, year2026));
    assert.equal(issues.length, 1, issues.join('\n'));
    assert.match(issues[0]!, issue);
  });
}

test('two branches that both recorded changes are one clear issue', async (context) => {
  const [, , ours] = journalOf(
    { at: first.at, records },
    { at: '2026-02-01T09:00:00Z', records: [records[0]!, record({ id: ulidOf(2), rating: 1 })] },
  );
  const conflict = [
    '<<<<<<< HEAD',
    JSON.stringify(ours),
    '=======',
    JSON.stringify(third),
    JSON.stringify(fourth),
    '>>>>>>> other',
    '',
  ];
  const files = folderOf([first, second], []);
  await refusesFork(context, { ...files, 'journal/2026.jsonl': conflict.join('\n') }, 1);
  // As a union merge leaves it.
  await refusesFork(context, folderOf([first, second], [ours!, third, fourth]), 2);
});

async function refusesFork(context: TestContext, files: Record<string, string>, line: number) {
  const issues = await issuesOf(context, files);
  assert.equal(issues.length, 1, issues.join('\n'));
  assert.match(
    issues[0]!,
    /two branches.* Keep the lines of the one that was published, delete those of the other, and run npm run reviews -- record/,
  );
  assert.ok(issues[0]!.startsWith(`content/journal/2026.jsonl:${line}:`), issues[0]);
}
