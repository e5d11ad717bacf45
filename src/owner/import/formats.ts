import { parseMap, type FieldMap } from './field-map.ts';
import { FORMATS, type Format } from './known-formats.ts';
import { flatten, type Row } from './rows.ts';

/** The meaning of "verified" on the platforms whose exports are known. */
export const VERIFICATION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    google:
      'Written with a signed-in Google account and published on the Google profile of the business. Google does not check that the author was a customer.',
    trustpilot:
      'Published on Trustpilot by a registered author, and neither pending nor filtered out there. Trustpilot asks for proof of the experience only when a review is reported.',
    yelp: 'Published on Yelp by a registered author. Yelp does not check that the author was a customer.',
    facebook:
      'Published on the Facebook page of the business by a signed-in account. A recommendation is shown as 5 stars, advice against the business as 1.',
    tripadvisor:
      'Published on Tripadvisor by a registered author after its moderation. Tripadvisor does not check that the author was a customer.',
    booking:
      'Published on Booking.com, where only guests who booked there and stayed can write a review.',
    'judge-me':
      'Published on Judge.me. Judge.me checks the orders of the shop for most reviews, and lets visitors of the shop write one too.',
    yotpo: 'Published on Yotpo. Yotpo does not require that the author was a customer.',
    okendo: 'Published on Okendo. Okendo does not require that the author was a customer.',
  }),
);

/** Addresses of pages with reviews, by platform; a shared document of Google is none. */
const PAGES: readonly [platform: string, pages: RegExp][] = [
  [
    'google',
    /^https?:\/\/(?:(?:[a-z]+\.)?google\.[a-z.]+\/(?:maps|search|local)|(?:maps\.app\.)?goo\.gl\/|g\.page\/|maps\.google\.)/,
  ],
  ['judge-me', /^https?:\/\/(?:[a-z]+\.)?judge\.me\//],
  ...['trustpilot', 'yelp', 'facebook', 'tripadvisor', 'booking'].map(
    (platform): [string, RegExp] => [
      platform,
      new RegExp(String.raw`^https?:\/\/(?:[a-z-]+\.)?${platform}\.[a-z.]+\/`),
    ],
  ),
];

/** Returns the platform that an address leads to, if it is one that is known. */
export function platformOf(address: string): string | undefined {
  return PAGES.find(([, pages]) => pages.test(address))?.[0];
}

/** A known format whose map was read. */
export interface KnownFormat extends Format {
  fields: FieldMap;
}

const KNOWN = FORMATS.map((format) => ({
  format: { ...format, fields: parseMap(format.map) },
  marks: format.marks.split(',').map((names) =>
    names
      .toLowerCase()
      .split('|')
      .map((name) => name.trim()),
  ),
}));

/** The first rows tell the format. */
const SAMPLE_ROWS = 200;

/** Returns the format that the first rows have, if it is one that is known. */
export function recognize(rows: readonly Row[]): KnownFormat | undefined {
  const found = rows.slice(0, SAMPLE_ROWS).map(namesIn);
  return KNOWN.find(({ marks }) =>
    found.some((row) => marks.every((names) => names.some((name) => row.has(name)))),
  )?.format;
}

/** Returns the dotted paths to all values and objects of a row, in lower case. */
function namesIn(row: Row): ReadonlySet<string> {
  const names = new Set(Object.keys(row).map((name) => name.toLowerCase()));
  for (const path of Object.keys(flatten(row))) {
    const keys = path.toLowerCase().split(/[./]/);
    keys.forEach((_, index) => names.add(keys.slice(0, index + 1).join('.')));
  }
  return names;
}
