import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildChanges, monthDocuments } from '../../src/resources/changes.ts';
import { buildJournal } from '../../src/resources/journal.ts';
import type { PublishedJournal } from '../../src/resources/source.ts';
import type { JournalEntry } from '../../src/schema/journal.ts';
import { journalOf } from '../support/journal.ts';
import { record, ulidOf } from '../support/reviews.ts';

/** A journal of added reviews: so many in March, and so many in May. */
function journalWith(march: number, may: number): PublishedJournal {
  const records = Array.from({ length: march + may }, (_, at) => record({ id: ulidOf(at + 1) }));
  const entries = journalOf(
    { at: '2026-03-20T12:00:00Z', records: records.slice(0, march) },
    { at: '2026-05-20T12:00:00Z', records: records.slice(march) },
  );
  const changes = entries.toReversed();
  return { changes, head: { seq: entries.length, hash: null }, complete: true };
}

/** Returns the addresses that a reader comes to by `next`, and all changes on the way. */
function follow(journal: PublishedJournal) {
  const documents = monthDocuments(journal);
  const paths: string[] = [];
  const changes = new Map<number, JournalEntry>();
  let page: { changes: readonly JournalEntry[]; next?: string | undefined } = buildChanges(journal);
  for (;;) {
    for (const change of page.changes) changes.set(change.seq, change);
    if (page.next === undefined) return { paths, changes };
    paths.push(page.next);
    page = documents.get(page.next)!;
  }
}

test('pages of a month have 500 changes from the oldest on, so that a new one alters only the newest', () => {
  const documents = monthDocuments(journalWith(3, 1200));
  const pages = [...documents].map(([path, { changes, next }]) => [path, changes.length, next]);
  assert.deepEqual(pages, [
    ['/changes/2026-05.json', 200, '/changes/2026-05-2.json'],
    ['/changes/2026-05-2.json', 500, '/changes/2026-05-1.json'],
    ['/changes/2026-05-1.json', 500, '/changes/2026-03.json'],
    ['/changes/2026-03.json', 3, undefined],
  ]);
  for (const [path, { month }] of documents) assert.ok(path.startsWith(`/changes/${month}`));
});

for (const [march, may] of [
  [0, 0],
  [0, 501],
  [500, 500],
  [1, 1700],
] as const) {
  test(`next leads from the newest change to the oldest: ${march} in March, ${may} in May`, () => {
    const journal = journalWith(march, may);
    const { paths, changes } = follow(journal);
    assert.equal(changes.size, march + may);
    const { months } = buildJournal(journal);
    assert.deepEqual(paths, months.slice(months.length - paths.length));
    const listed = months.flatMap((path) => monthDocuments(journal).get(path)!.changes);
    assert.deepEqual(listed, journal.changes);
  });
}
