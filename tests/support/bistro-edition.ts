import { contentHash } from '../../src/insights/analyze/review-reader.ts';
import { builtOnce } from './edition.ts';
import { jsonl, record, ulidOf } from './reviews.ts';

/** The export that the first reviews of `bistroEdition` come from; its file name is private. */
export const IMPORT = {
  imported_at: '2026-04-02T09:00:00Z',
  file: 'private-name.json',
  sha256: 'c0ffee'.padEnd(64, '0'),
  format: 'JSON, Google Business Profile (Takeout or API)',
  sources: ['google'],
  rows: 4,
  added: 4,
  changed: 0,
  withdrawn: 1,
  skipped: 1,
  platform_total: 4,
  verification:
    'Written with a signed-in account. Google does not check that the author was a customer.',
};

const TOMBSTONE = {
  id: ulidOf(9),
  date: '2025-11-05',
  source: 'google',
  source_id: 'secret-id',
  withdrawn_at: IMPORT.imported_at,
  reason: 'no longer in a full export',
};

const IMPORTED = { source_digest: '0123456789abcdef' };
const READ_BY_A_MODEL = record({ id: ulidOf(4), source: 'yelp', text: 'We were there in May.' });
const ANNOTATION = {
  review_id: READ_BY_A_MODEL.id,
  content_hash: contentHash(READ_BY_A_MODEL),
  source: 'a-model (prompt 1)',
  aspects: [],
};

/**
 * The edition of a restaurant: another trade than the sample's, in which reviews were imported,
 * entered by hand, left out, withdrawn, and one read by a model.
 */
export const bistroEdition = builtOnce(
  {},
  {
    'business.json': JSON.stringify({
      data_license: 'CC-BY-4.0',
      solicitation: ['everyone', 'rewarded'],
      name: 'Bistro Ilse',
      category: 'restaurant',
      author_display: 'first-initial',
      languages: ['de', 'ar'],
    }),
    'faq/prices.md': null,
    'summary.md': null,
    vocabulary: null,
    'vocabulary/trade.json': '{ "extends": "restaurant" }',
    'vocabulary/technicians.json': JSON.stringify([{ id: 'ilse', name: 'Ilse' }]),
    'annotations/model.jsonl': jsonl(ANNOTATION),
    'imports.jsonl': jsonl(IMPORT),
    'withdrawn.jsonl': jsonl(TOMBSTONE),
    'reviews/2026.jsonl': jsonl(
      record({
        id: ulidOf(1),
        ...IMPORTED,
        text: 'The soup was delicious and Ilse was friendly.',
      }),
      record({ id: ulidOf(2), ...IMPORTED, text: 'Great food. Ilse made us feel welcome.' }),
      record({
        id: ulidOf(3),
        ...IMPORTED,
        author: 'Anonymous',
        text: 'The fish was bland and overpriced.',
        rating: 2,
      }),
      READ_BY_A_MODEL,
      record({ id: ulidOf(5), verified: false }),
    ),
  },
);
