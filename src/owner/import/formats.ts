import { PLATFORMS } from '../../schema/platforms.ts';
import { slugOf } from '../../schema/primitives.ts';
import { parseMap } from './field-map.ts';
import { FORMATS } from './known-formats.ts';
import { flatten, type Row } from './rows.ts';

/** The best rating on platforms whose scale is known. */
export const STATED_SCALES: Readonly<Record<string, number>> = {
  agoda: 10,
  booking: 10,
  expedia: 10,
  facebook: 5,
  google: 5,
  hostelworld: 10,
  'hotels-com': 10,
  tripadvisor: 5,
  trustpilot: 5,
  yelp: 5,
};

/** Returns the id of a platform by its name or domain: `Booking.com`, `Google Maps`, `Trip Advisor`. */
export function platformNamed(name: string): string {
  const slug = slugOf(name);
  const short = slug.replace(/^www-|-(?:com|reviews?|maps|business|co-uk|[a-z]{2})$/g, '');
  const known = [slug, short, short.replaceAll('-', '')];
  return known.find((each) => Object.hasOwn(PLATFORMS, each)) ?? slug;
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

export function recognize(rows: readonly Row[]) {
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
