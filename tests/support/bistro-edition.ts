import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contentHash } from '../../src/insights/analyze/review-reader.ts';
import { builtOnce } from './edition.ts';
import { COVER } from './fixtures.ts';
import { joinParts } from '../../src/schema/review-parts.ts';
import { jsonl, record, ulidOf } from './reviews.ts';

/** The path that the site begins at. */
export const BASE = '/our/reviews';
export const SITE = `https://shop.example${BASE}`;

const { privateKey } = generateKeyPairSync('ed25519');
export const PUBLIC_KEY = createPublicKey(privateKey);

/** The settings of `bistroEdition` besides its content. */
export const BISTRO_BUILD = {
  SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  SITE_URL: SITE,
};

/** The reviews of a month, more than two of its pages have. */
export const COUNT = 205;
export const MONTH = '2026-02';
/** The parts and the score of the oldest of them. */
const PARTED = {
  ...joinParts('The door.', 'The stairs.'),
  score: { value: 2.4, best: 10 },
};
const OF_A_MONTH = Array.from({ length: COUNT }, (_, number) =>
  record({
    id: ulidOf(100 + number),
    author: `Author ${number}`,
    rating: 1 + (number % 5),
    date: `${MONTH}-${String(1 + (number % 28)).padStart(2, '0')}`,
    source: 'facebook',
    title: `Visit ${number}`,
    text: 'All of the work went well.',
    ...(number === 0 && PARTED),
  }),
);

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#b00020"/></svg>';

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
 * The signed edition of a restaurant, unlike the sample in all that can differ: another trade, a theme,
 * further languages, a site below a path, a month of many reviews, and reviews that were imported,
 * entered by hand, left out, withdrawn, and one read by a model.
 */
export const bistroEdition = builtOnce(BISTRO_BUILD, {
  'business.json': JSON.stringify({
    data_license: 'CC-BY-4.0',
    solicitation: ['everyone', 'rewarded'],
    name: 'Bistro Ilse',
    category: 'restaurant',
    phone: '+12075550199',
    address: { street: '5 Mill Lane', city: 'Portland', country: 'US' },
    author_display: 'first-initial',
    languages: ['de', 'ar'],
    cover_alt: 'The dining room',
    logo_url: 'https://logo.invalid/a.png',
    theme: { accent: '#B00020', font: 'sans' },
  }),
  'logo.svg': LOGO,
  'cover.jpg': readFileSync(COVER),
  'faq/prices.md': null,
  'summary.md': null,
  vocabulary: null,
  'vocabulary/trade.json': '{ "extends": "restaurant" }',
  'vocabulary/technicians.json': JSON.stringify([
    { id: 'ilse', name: 'Ilse' },
    { id: 'marek', name: 'Marek' },
  ]),
  'vocabulary/services.json': JSON.stringify([{ id: 'catering', label: 'Catering' }]),
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
    ...OF_A_MONTH,
  ),
});
