import type { Row } from './draft.ts';
import { FORMATS, type Format } from './known-formats.ts';

/** The meaning of "verified" on the platforms whose exports are known. */
export const VERIFICATION: Readonly<Record<string, string>> = {
  google:
    'Written with a signed-in Google account and published on the Google profile of the business. Google does not check that the author was a customer.',
  trustpilot:
    'Published on Trustpilot by a registered author, and neither pending nor filtered out there. Trustpilot asks for proof of the experience only when a review is reported.',
  yelp: 'Published on Yelp by a registered author. Yelp does not check that the author was a customer.',
  facebook:
    'Published on the Facebook page of the business by a signed-in account. A recommendation is shown as 5 stars, advice against the business as 1.',
  tripadvisor:
    'Published on Tripadvisor by a registered author after its moderation. Tripadvisor does not check that the author was a customer.',
};

const VERIFIED_ELSEWHERE = 'Published as verified by the installation whose reviews were imported.';

/** Columns of reviews.csv, and members of reviews.json. */
const OWN_FIELDS = {
  id: ['id'],
  author: ['author'],
  rating: ['rating'],
  date: ['date'],
  title: ['title'],
  text: ['text'],
  language: ['language'],
  url: ['source_url'],
  source: ['source'],
  reply: ['reply', 'owner_reply.text'],
  reply_date: ['reply_date', 'owner_reply.date'],
  updated: ['updated_at'],
};

/** Files that an installation of this program publishes; their records keep their ids. */
const OWN_FORMATS: readonly Format[] = [
  {
    name: 'reviews.json or reviews.ndjson of another installation',
    source: undefined,
    marks: [['id'], ['verified'], ['owner_reply'], ['mentions'], ['source']],
    fields: OWN_FIELDS,
    isOwn: true,
    isHidden: ({ verified }) => verified !== true,
    verification: VERIFIED_ELSEWHERE,
  },
  {
    name: 'reviews.csv of another installation',
    source: undefined,
    marks: [['id'], ['author_avatar_url'], ['reply_date'], ['updated_at'], ['sentiment']],
    fields: OWN_FIELDS,
    isOwn: true,
    isGuarded: true,
    verification: VERIFIED_ELSEWHERE,
  },
];

/** Returns the format that the first rows have, if it is one that is known. */
export function recognize(rows: readonly Row[]): Format | undefined {
  return [...OWN_FORMATS, ...FORMATS].find(({ marks }) =>
    rows.some((row) => marks.every((names) => names.some((name) => name in row))),
  );
}
