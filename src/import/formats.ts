import { FIELDS, parseRating, parseTime, valueAt, orderOf } from './draft.ts';
import type { Field, FieldMap, Row } from './draft.ts';

/** A kind of export, recognized by fields that no other kind has together. */
export interface Format {
  name: string;
  /** The platform the reviews were written on; undefined when each row tells it. */
  source: string | undefined;
  /** A row of this format has a field of each of these lists. */
  marks: readonly (readonly string[])[];
  fields: FieldMap;
  /** Makes the link of a review on its platform from its id. */
  link?: (id: string) => string;
  /** Tells whether the platform itself holds the review back. */
  isHidden?: (row: Row) => boolean;
  /** Published: what had to hold for these reviews to count as verified. */
  verification?: string;
  /** Something the owner should know about this kind of export. */
  note?: string;
}

const trustpilotLink = (id: string): string => `https://www.trustpilot.com/reviews/${id}`;
const isYes = (value: unknown): boolean => /^(true|1|yes)$/i.test(String(value ?? ''));

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

export const FORMATS: readonly Format[] = [
  {
    name: 'Google Business Profile (Takeout or API)',
    source: 'google',
    marks: [['starRating'], ['createTime']],
    fields: {
      id: ['reviewId', 'name'],
      author: ['reviewer.displayName'],
      rating: ['starRating'],
      date: ['createTime'],
      text: ['comment'],
      reply: ['reviewReply.comment'],
      reply_date: ['reviewReply.updateTime'],
      updated: ['updateTime'],
    },
  },
  {
    name: 'Google reviews from a crawler',
    source: 'google',
    marks: [['stars'], ['publishedAtDate'], ['reviewId', 'reviewUrl', 'reviewerId']],
    fields: {
      id: ['reviewId'],
      author: ['name', 'reviewerName'],
      rating: ['stars'],
      date: ['publishedAtDate'],
      text: ['text'],
      language: ['originalLanguage'],
      url: ['reviewUrl'],
      source: ['reviewOrigin'],
      reply: ['responseFromOwnerText'],
      reply_date: ['responseFromOwnerDate'],
    },
  },
  {
    name: 'Google reviews from a crawler',
    source: 'google',
    marks: [['review_id'], ['rating'], ['published_at_date']],
    fields: {
      id: ['review_id'],
      author: ['name', 'reviewer_name'],
      rating: ['rating'],
      date: ['published_at_date'],
      text: ['review_text'],
      url: ['review_link', 'review_url'],
      reply: ['response_from_owner_text'],
      reply_date: ['response_from_owner_date'],
    },
  },
  {
    name: 'Trustpilot business export',
    source: 'trustpilot',
    marks: [['review id'], ['review created (utc)'], ['review stars']],
    fields: {
      id: ['review id'],
      author: ['review username'],
      rating: ['review stars'],
      date: ['review created (utc)'],
      title: ['review title'],
      text: ['review content'],
      language: ['review language'],
      reply: ['company response', 'company reply', 'business reply'],
      reply_date: ['company reply date (utc)', 'business reply date (utc)'],
    },
    link: trustpilotLink,
  },
  {
    name: 'Trustpilot API',
    source: 'trustpilot',
    marks: [['stars'], ['createdAt'], ['consumer']],
    fields: {
      id: ['id'],
      author: ['consumer.displayName'],
      rating: ['stars'],
      date: ['createdAt'],
      title: ['title'],
      text: ['text'],
      language: ['language'],
      reply: ['companyReply.text'],
      reply_date: ['companyReply.updatedAt', 'companyReply.createdAt'],
      updated: ['updatedAt'],
    },
    link: trustpilotLink,
    isHidden: ({ status = 'active' }) => status !== null && status !== 'active',
  },
  {
    name: 'Trustpilot reviews from a crawler',
    source: 'trustpilot',
    marks: [['id'], ['rating'], ['filtered'], ['pending'], ['published', 'dates']],
    fields: {
      id: ['id'],
      author: ['consumer.displayName', 'author'],
      rating: ['rating'],
      date: ['dates.publishedDate', 'published'],
      title: ['title'],
      text: ['text'],
      language: ['language'],
      reply: ['reply.message'],
      reply_date: ['reply.publishedDate'],
      updated: ['dates.updatedDate'],
    },
    link: trustpilotLink,
    isHidden: ({ filtered, pending }) => isYes(filtered) || isYes(pending),
  },
  {
    name: 'Yelp API',
    source: 'yelp',
    marks: [['time_created'], ['rating'], ['user']],
    fields: {
      id: ['id'],
      author: ['user.name'],
      rating: ['rating'],
      date: ['time_created'],
      text: ['text'],
      url: ['url'],
      reply: ['public_response.text', 'owner_response.text'],
      reply_date: ['public_response.time_created', 'owner_response.time_created'],
    },
    note: "Yelp's public API cuts texts at 160 characters: import a full export when you have one",
  },
  {
    name: 'Facebook page ratings',
    source: 'facebook',
    marks: [['created_time'], ['recommendation_type', 'has_rating', 'has_review']],
    fields: {
      id: ['open_graph_story.id', 'id'],
      author: ['reviewer.name'],
      rating: ['rating', 'recommendation_type'],
      date: ['created_time'],
      text: ['review_text'],
    },
    note: 'Facebook has no stars: a recommendation is imported as 5, advice against as 1',
  },
  {
    name: 'Facebook recommendations from a crawler',
    source: 'facebook',
    marks: [['isRecommended', 'is_recommended'], ['text'], ['date', 'published_at', 'timestamp']],
    fields: {
      id: ['id', 'recommendation_id', 'legacyId'],
      author: ['user.name', 'author.name', 'reviewer.name'],
      rating: ['isRecommended', 'is_recommended'],
      date: ['date', 'published_at', 'timestamp'],
      text: ['text'],
      url: ['url'],
    },
    note: 'Facebook has no stars: a recommendation is imported as 5, advice against as 1',
  },
];

/** The reviews.json of an installation of this program; its records keep their ids. */
export const REVIEWS_DATASET: Format = {
  name: 'reviews.json of another installation',
  source: undefined,
  marks: [['id'], ['verified'], ['owner_reply'], ['mentions'], ['source']],
  fields: {
    id: ['id'],
    author: ['author'],
    rating: ['rating'],
    date: ['date'],
    title: ['title'],
    text: ['text'],
    language: ['language'],
    url: ['source_url'],
    source: ['source'],
    reply: ['owner_reply.text'],
    reply_date: ['owner_reply.date'],
    updated: ['updated_at'],
  },
  isHidden: ({ verified }) => verified !== true,
  verification: 'Published as verified by the installation whose reviews.json was imported.',
};

/** Returns the format that the first rows have, if it is one that is known. */
export function recognize(rows: readonly Row[]): Format | undefined {
  return [REVIEWS_DATASET, ...FORMATS].find(({ marks }) =>
    rows.some((row) => marks.every((names) => names.some((name) => name in row))),
  );
}

/** Column names that people and tools give the fields, most telling first. */
const NAMES: Record<Field, RegExp[]> = {
  id: [/^review[ _-]?id$/i, /^id$/i, /^uuid$/i],
  rating: [/^(star[ _-]?)?ratings?$/i, /^stars?$/i, /^(overall[ _-]?)?score$/i, /rating|stars/i],
  date: [
    /^(review|published|created|submitted)[ _-]?(date|at|on|time)$/i,
    /^date$/i,
    /^(published|created|timestamp|time)$/i,
    /date|created|published/i,
  ],
  author: [
    /^(author|reviewer|customer|user|display)[ _.-]?name$/i,
    /^(author|reviewer|customer|user|name)$/i,
    /^(reviewer|user)\.(display)?name$/i,
  ],
  title: [/^(review[ _-]?)?(title|headline|subject|summary)$/i],
  text: [
    /^(review[ _-]?)?(text|body|content|comment|message)s?$/i,
    /^reviews?$/i,
    /^(description|feedback)$/i,
  ],
  language: [/^(review[ _-]?)?(lang|language|locale)$/i],
  url: [/^(review[ _-]?)?(url|link|permalink)$/i],
  source: [],
  reply: [
    /^(owner|company|business|management)[ _-]?(reply|response|answer)$/i,
    /^(reply|response)$/i,
  ],
  reply_date: [/^(owner|company|business|management)?[ _-]?(reply|response)[ _-]?(date|at)$/i],
  updated: [/^(updated|modified|edited)[ _-]?(date|at|on)?$/i],
};

/**
 * Guesses from the first rows which column is which field: the names must be usual ones, and most
 * ratings and dates must be readable.
 */
export function guessFields(rows: readonly Row[]): { fields: FieldMap; scale: number } {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const values = (column: string) => valuesAt(rows, column);
  const fits: Partial<Record<Field, (column: string) => boolean>> = {
    rating: (column) => mostly(values(column), (value) => parseRating(value, 100) !== undefined),
    date: (column) =>
      mostly(
        values(column),
        (value) => parseTime(value, orderOf(values(column)) ?? 'mdy') !== undefined,
      ),
  };
  const fields: FieldMap = {};
  const taken = new Set<string>();
  for (const field of FIELDS) {
    const column = NAMES[field]
      .values()
      .flatMap((name) => columns.filter((column) => name.test(column)))
      .find((column) => !taken.has(column) && (fits[field]?.(column) ?? true));
    if (column === undefined) continue;
    taken.add(column);
    fields[field] = [column];
  }
  const ratings = fields.rating ? values(fields.rating[0]!).map(Number) : [];
  const best = Math.max(0, ...ratings.filter(Number.isFinite));
  return { fields, scale: [5, 10, 100].find((scale) => best <= scale) ?? 5 };
}

/** Returns what the rows have in a column, as text. */
export function valuesAt(rows: readonly Row[], column: string): string[] {
  return rows
    .map((row) => valueAt(row, column))
    .filter(isScalar)
    .map(String)
    .filter((value) => value !== '');
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function mostly(values: readonly string[], holds: (value: string) => boolean): boolean {
  return values.length > 0 && values.filter(holds).length >= values.length * 0.8;
}

/** Reads `text=Review,rating=Stars`. @throws in one line that names the fields there are */
export function parseMap(map: string): FieldMap {
  const fields: FieldMap = {};
  for (const pair of map.split(',')) {
    const [field = '', column] = pair.split(/=(.*)/s).map((part) => part.trim());
    if (!FIELDS.includes(field as Field) || !column) {
      throw new Error(
        `--map ${pair}: must be FIELD=COLUMN, and the fields are ${FIELDS.join(', ')}`,
      );
    }
    fields[field as Field] = [column];
  }
  return fields;
}

/** The inverse of {@link parseMap}. */
export function formatMap(fields: FieldMap): string {
  return FIELDS.flatMap((field) => (fields[field] ? [`${field}=${fields[field][0]}`] : [])).join(
    ',',
  );
}
