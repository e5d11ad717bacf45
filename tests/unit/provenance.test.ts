import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProvenance, type Origins } from '../../src/resources/provenance.ts';
import { type ImportRecord, provenance } from '../../src/schema/provenance.ts';
import { tombstoneOf } from '../support/journal.ts';
import { dataset, record, review, ulidOf } from '../support/reviews.ts';

const published = [review({ id: ulidOf(2) }), review({ id: ulidOf(1) })];
const method = { engine: 'local-rules', annotated_reviews: 0 };
const insights = { per_review: {}, coverage: { read_count: 0 }, method };

const COUNTS = { rows: 12, added: 12, changed: 0, withdrawn: 0, skipped: 1 };
function imported(fields: Partial<ImportRecord> = {}): ImportRecord {
  return {
    imported_at: '2026-04-01T09:00:00Z',
    file: 'reviews.json',
    sha256: 'a'.repeat(64),
    format: 'JSON, Google Business Profile',
    sources: ['google'],
    ...COUNTS,
    platform_total: 12,
    verification: 'Written with a signed-in account.',
    ...fields,
  };
}

function describe(origins: Partial<Origins>) {
  const business = { author_display: 'full' as const, solicitation: [] };
  const all = { business, imports: [], reviews: [], withdrawn: [], ...origins };
  const described = describeProvenance(all, dataset(published), insights);
  return provenance.parse(JSON.parse(JSON.stringify(described)));
}

const totalsOf = (...imports: ImportRecord[]) =>
  describe({ imports, reviews: [record()] }).sources[0]!.platform_total;

test('counts what each platform has here, and says what verified means there', () => {
  const { sources } = describe({
    imports: [imported()],
    reviews: [
      record({ id: ulidOf(1), source_digest: '0123456789abcdef' }),
      record({ id: ulidOf(2) }),
      record({ id: ulidOf(3), verified: false }),
      record({ id: ulidOf(4), source: 'yelp' }),
    ],
    withdrawn: [tombstoneOf(9)],
  });
  assert.deepEqual(sources[0], {
    source: 'google',
    level: 'account',
    verification: 'Written with a signed-in account.',
    published: 2,
    unverified: 1,
    withdrawn: 1,
    by_hand: 1,
    platform_total: { count: 12, at: '2026-04-01T09:00:00Z' },
  });
  assert.equal(sources[1]!.source, 'yelp');
  assert.match(sources[1]!.verification, /^Entered by hand\./);
});

test('the newest total of a file counts; totals of files add up if one import read them all', () => {
  const may = '2026-05-01T09:00:00Z';
  assert.equal(totalsOf(imported({ platform_total: undefined })), null);
  const newer = totalsOf(imported(), imported({ imported_at: may, platform_total: 15 }));
  assert.deepEqual(newer, { count: 15, at: may });
  const other = imported({ file: 'other.json', platform_total: 5 });
  assert.equal(totalsOf(imported(), other)!.count, 17);
  assert.equal(totalsOf(imported(), { ...other, imported_at: may }), null);
  // Two parts of one listing with equal names.
  assert.equal(totalsOf(imported(), imported({ platform_total: 3 }))!.count, 15);
});

test('columns of a file stay the owner’s, whatever kind of file it was', () => {
  const shown = (fields: object) => describe({ imports: [imported(fields)] }).imports[0]!.format;
  for (const kind of ['', 'CSV, ', 'Excel, ']) {
    const format = `${kind}columns author=Kunde`;
    assert.equal(shown({ format }), 'table, columns named by the owner');
  }
  assert.equal(shown({}), 'JSON, Google Business Profile');
});
