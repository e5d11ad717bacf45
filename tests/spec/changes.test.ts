import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import {
  changesDocument,
  journalDocument,
  monthChanges,
  type ChangesDocument,
  type JournalDocument,
  type JournalEntry,
  type MonthChanges,
} from '../../src/schema/journal.ts';
import type { Review } from '../../src/schema/review.ts';
import { forEachTarget } from '../support/targets.ts';

// The journal of changes, as an outsider checks it: nothing here uses the code of the service.

/** Canonical JSON (RFC 8785) of flat objects, and of an object inside one. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`).join()}}`;
}

const sha256 = (value: unknown) => createHash('sha256').update(canonical(value)).digest('hex');

forEachTarget((target) => {
  let newest: ChangesDocument;
  let journal: JournalDocument;
  let months: MonthChanges[];
  /** Oldest first. */
  let all: JournalEntry[];

  before(async () => {
    newest = await target.json('/changes.json');
    journal = await target.json('/journal.json');
    months = [];
    for (const path of journal.months) months.push(await target.json(path));
    all = months.flatMap(({ changes }) => changes).toReversed();
  });

  test('the documents of the journal have every field of their schemas and no other', () => {
    assert.deepEqual(changesDocument.parse(newest), newest);
    assert.deepEqual(journalDocument.parse(journal), journal);
    for (const month of months) assert.deepEqual(monthChanges.parse(month), month);
  });

  test('the changes are numbered from 1 and chained by hashes up to the head', () => {
    for (const [index, { seq, previous }] of all.entries()) {
      assert.equal(seq, index + 1);
      assert.equal(previous, index === 0 ? null : sha256(all[index - 1]));
    }
    const head = { seq: all.length, hash: all.length > 0 ? sha256(all.at(-1)) : null };
    assert.deepEqual({ seq: journal.seq, hash: journal.hash }, head);
    assert.deepEqual(newest.head, head);
    assert.equal(journal.count, all.length);
    assert.equal(journal.at, all.at(-1)?.at ?? null);
  });

  test('the newest changes come first, a week of them and at most 500, and next leads on', async () => {
    const { changes, next } = newest;
    assert.deepEqual(changes, all.toReversed().slice(0, changes.length));
    assert.ok(changes.length <= 500);
    const first = Date.parse(changes[0]?.at ?? '') - 7 * 86_400_000;
    for (const { at } of changes) assert.ok(Date.parse(at) >= first);
    const older = all.at(-1 - changes.length);
    assert.equal(next, older && `/changes/${older.at.slice(0, 7)}.json`);
    if (older && changes.length < 500) assert.ok(Date.parse(older.at) < first);
  });

  test('each month has its changes, and next is the path of the one before', () => {
    for (const [index, { month, changes, next }] of months.entries()) {
      assert.equal(journal.months[index], `/changes/${month}.json`);
      assert.ok(changes.every(({ at }) => at.startsWith(month)));
      assert.equal(next, journal.months[index + 1]);
    }
  });

  test('the changes lead to the published reviews, hash by hash', async () => {
    const { reviews, journal: head, coverage } = await target.dataset();
    const present = new Map<string, string | null>();
    const gone = new Map<string, JournalEntry>();
    for (const change of all) {
      assert.equal(change.before, present.get(change.id) ?? null);
      present.set(change.id, change.after);
      if (change.after === null) gone.set(change.id, change);
      else gone.delete(change.id);
    }
    const published = new Map(reviews.map((one) => [one.id, hashOf(one, journal.members)]));
    const left = [...present].filter(([, after]) => after !== null);
    assert.deepEqual(new Map([...left].sort()), new Map([...published].sort()));
    assert.deepEqual(head, newest.head);
    assert.ok(newest.complete && journal.complete);
    // Withdrawn reviews are tombstones: a day and a reason, counted, and nowhere else.
    const counted = coverage.excluded.find(({ reason }) => reason === 'withdrawn')?.count ?? 0;
    const tombstones = [...gone.values()].filter(({ reason }) => reason !== 'unverified');
    assert.equal(tombstones.length, counted);
    const byReason = Map.groupBy(gone.values(), ({ reason }) => reason!);
    assert.deepEqual(
      new Map(journal.withdrawn.map(({ reason, count }) => [reason as string, count])),
      new Map([...byReason].map(([reason, some]) => [reason as string, some.length])),
    );
    const counts = Map.groupBy(all, ({ change }) => change);
    for (const [change, count] of Object.entries(journal.by_change)) {
      assert.equal(counts.get(change as JournalEntry['change'])?.length ?? 0, count);
    }
  });

  test('a withdrawn review is in no other document', async () => {
    const gone = all.filter(({ change }) => change === 'withdrawn');
    for (const path of ['/reviews.json', '/insights.json', '/api/feed.json', '/feed.xml']) {
      const text = await (await target.fetch(path)).text();
      for (const { id } of gone) assert.ok(!text.includes(id), `${path} has ${id}`);
    }
    for (const { date, id } of gone) {
      const listing = await target.json<{ reviews: Review[] }>(`/api/reviews/since/${date}`);
      assert.ok(listing.reviews.every((one) => one.id !== id));
      const found = await target.json<{ reviews: Review[] }>(
        `/api/reviews/search?since=${date}&until=${date}`,
      );
      assert.ok(found.reviews.every((one) => one.id !== id));
    }
  });
});

function hashOf(review: Review, members: readonly string[]): string {
  const covered = members
    .filter((name) => name in review)
    .map((name) => [name, review[name as keyof Review]]);
  return sha256(Object.fromEntries(covered));
}
