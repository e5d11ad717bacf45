import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VALID_CONTENT } from './content-folder.ts';
import { builtOnce } from './edition.ts';
import { jsonl, record, ulidOf } from './reviews.ts';

/** The reviews of the month of `themedEdition`, more than two of its pages have. */
export const COUNT = 205;
export const MONTH = '2026-02';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#b00020"/></svg>';

const business = JSON.parse(readFileSync(join(VALID_CONTENT, 'business.json'), 'utf8')) as object;
const reviews = Array.from({ length: COUNT }, (_, number) =>
  record({
    id: ulidOf(number),
    author: `Author ${number}`,
    rating: 1 + (number % 5),
    date: `${MONTH}-${String(1 + (number % 28)).padStart(2, '0')}`,
    title: `Visit ${number}`,
    text: 'All of the work went well.',
  }),
);

/** The path that a site begins at where it is not the root. */
export const BASE = '/our/reviews';

/**
 * The edition of a business with a theme of its own, all of whose reviews are of one month, at
 * https://shop.example/our/reviews: all that begins at the root begins at this path.
 */
export const themedEdition = builtOnce(
  { SITE_URL: `https://shop.example${BASE}` },
  {
    'business.json': JSON.stringify({
      ...business,
      logo_url: 'https://logo.invalid/a.png',
      theme: { accent: '#B00020', font: 'sans' },
    }),
    'logo.svg': LOGO,
    reviews: null,
    'reviews/2026.jsonl': jsonl(...reviews),
    faq: null,
    journal: null,
    annotations: null,
  },
);
