import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { publishReview } from '../../src/dataset/publish.ts';
import { Chain } from '../../src/journal/chain.ts';
import { canonicalJson, entryHash, recordHash } from '../../src/journal/hash.ts';
import { journalEntry, RECORD_MEMBERS } from '../../src/schema/journal.ts';
import type { Review } from '../../src/schema/review.ts';
import { changesTo, journalOf, tombstoneOf } from '../support/journal.ts';
import { record, review, ulidOf } from '../support/reviews.ts';

const DAY = '2026-03-01T12:00:00Z';
const LATER = '2026-04-01T12:00:00Z';
const reply = { text: 'Thanks!', date: '2026-03-02' };

test('canonical JSON is that of RFC 8785', () => {
  // The example of section 3.2.2, and the order of section 3.2.3.
  const example = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  assert.equal(
    canonicalJson(example),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
  const values = [...canonicalJson(names).matchAll(/:(\d)/g)].map(([, value]) => value);
  assert.equal(values.join(''), '2467153');
});

test('the hash of a record is that of another site and vocabulary, and of no other record', () => {
  const mentions = { technicians: ['tom-hale'], services: ['drains'] };
  const elsewhere = publishReview(record(), mentions, 'https://other.example');
  assert.equal(recordHash(elsewhere), recordHash(review()));
  const links = { author_avatar_url: 'https://a.example/', source_url: 'https://b.example/' };
  const words = { title: 'a', text: 'b', criticism_at: 0, language: 'de', owner_reply: reply };
  const stars = { rating: 4, score: { value: 8, best: 10 } };
  const when = { date: '2026-02-01', updated_at: DAY };
  const who = { id: ulidOf(2), author: 'N. H.', source: 'yelp', salt: '5a17'.repeat(8) };
  const other: Review = {
    ...review({ ...links, ...words, ...stars, ...when, ...who }),
    verified: false as true,
  };
  for (const member of RECORD_MEMBERS) {
    const changed = { ...review(), [member]: other[member] };
    assert.notEqual(recordHash(changed), recordHash(review()), member);
  }
});

test('a change is recorded as what it is, with the hashes before and after', () => {
  const entries = journalOf(
    { at: DAY, records: [record(), record({ id: ulidOf(2) })] },
    { at: LATER, records: [record({ owner_reply: reply }), record({ id: ulidOf(2), rating: 1 })] },
    { at: LATER, records: [record({ owner_reply: { ...reply, text: 'Thank you!' } })] },
    { at: LATER, records: [record({ updated_at: LATER })] },
    { at: LATER, records: [record({ text: 'New words.', owner_reply: reply })] },
    { at: LATER, records: [record({ verified: false })], tombstones: [tombstoneOf(2)] },
    { at: LATER, records: [record()] },
  );
  assert.deepEqual(
    entries.map(({ change, id, reason = '' }) => `${change} ${Number(id.slice(4))} ${reason}`),
    [
      'added 1 ',
      'added 2 ',
      'replied 1 ',
      'edited 2 ',
      'replied 1 ',
      'replied 1 ', // without the reply again
      'edited 1 ', // in the words and the reply
      'withdrawn 1 unverified',
      'withdrawn 2 gone-from-platform',
      'added 1 ',
    ],
  );
  const first = entries.filter(({ id }) => id === ulidOf(1));
  const [before, after] = [first.map((each) => each.before), first.map((each) => each.after)];
  assert.deepEqual(before, [null, ...after.slice(0, -1)]);
  assert.equal(after[0], recordHash(review()));
  const previous = entries.map((each) => each.previous);
  assert.deepEqual(previous, [null, ...entries.slice(0, -1).map(entryHash)]);
  for (const entry of entries) assert.deepEqual(journalEntry.parse(entry), entry);
});

test('a clock that was set back does not bring the journal out of order', () => {
  const entries = journalOf(
    { at: LATER, records: [record()] },
    { at: DAY, records: [record({ rating: 1 })] },
  );
  const times = entries.map(({ at }) => at);
  assert.deepEqual(times, [LATER, LATER]);
});

test('the reason of a tombstone is published as a code, never as a sentence', () => {
  const reasons = ['legal', 'Ada Lind asked us to', 'no longer in a full export', 'toString'];
  const tombstones = reasons.map((reason, index) => tombstoneOf(index, reason));
  const entries = journalOf({ at: DAY, records: [], tombstones });
  const codes = entries.map(({ reason }) => reason);
  assert.deepEqual(codes, ['legal', 'other', 'gone-from-platform', 'other']);
  for (const { before } of entries) assert.equal(before, null);
});

const fields = fc.record({
  rating: fc.integer({ min: 1, max: 5 }),
  verified: fc.boolean(),
  owner_reply: fc.constantFrom(null, reply),
});
const states = fc.array(fc.array(fields, { maxLength: 4 }), { maxLength: 6 });

test('any history is a chain that covers its last state, and no line of it can be changed', () => {
  let tried = 0;
  fc.assert(
    fc.property(states, fc.nat(), (history, place) => {
      const steps = history.map((reviews) => {
        const records = reviews.map((fields, at) => record({ ...fields, id: ulidOf(at) }));
        const tombstones = [0, 1, 2, 3].slice(records.length).map((at) => tombstoneOf(at));
        return { at: DAY, records, tombstones };
      });
      const entries = journalOf(...steps);
      const chain = new Chain();
      for (const entry of entries) assert.equal(chain.add(entry), undefined);
      const last = steps.at(-1);
      if (last) assert.deepEqual(changesTo(chain, last.records, last.tombstones), []);
      if (entries.length < 2) return;
      tried++;
      const at = place % (entries.length - 1);
      const breaks = (changed: typeof entries) => {
        const chain = new Chain();
        return changed.some((entry) => chain.add(entry) !== undefined);
      };
      assert.ok(breaks(entries.toSpliced(at, 1)), 'a line is gone');
      const edited = { ...entries[at]!, at: '2026-01-01T00:00:00Z' };
      assert.ok(breaks(entries.with(at, edited)), 'edited');
      assert.ok(breaks(entries.toSpliced(at, 0, entries[at]!)), 'a line is there twice');
    }),
    { numRuns: 60 },
  );
  assert.ok(tried > 20, `${tried} histories`);
});
