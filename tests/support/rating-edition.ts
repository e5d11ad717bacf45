import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { builtOnce } from './edition.ts';
import { jsonl, record } from './reviews.ts';

const EMPTY = ['aspects', 'problems', 'service-areas', 'services', 'technicians', 'topics'];
const { privateKey } = generateKeyPairSync('ed25519');

export const PUBLIC_KEY = createPublicKey(privateKey);
export const RATING_SITE = 'https://reviews.example';

/** The settings of `ratingEdition` besides its content. */
export const RATING_BUILD = {
  SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  SITE_URL: RATING_SITE,
};

/** The signed edition of a single rating without words, of nothing that is looked for. */
export const ratingEdition = builtOnce(RATING_BUILD, {
  ...Object.fromEntries(EMPTY.map((name) => [`vocabulary/${name}.json`, '[]'])),
  'business.json': JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning' }),
  'faq/prices.md': null,
  'reviews/2026.jsonl': jsonl(record({ text: null })),
  'summary.md': null,
});
