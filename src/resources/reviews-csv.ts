import { CSV_PATH, CSV_TYPE } from '../paths.ts';
import type { InsightsDataset, PerReview } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { documentResource } from './resource.ts';

type Value = (review: Review, labels: PerReview) => string | number | null;

/** Columns of reviews.csv: the meaning of each, and its value. */
export const CSV_COLUMNS: Readonly<Record<string, [meaning: string, value: Value]>> = {
  id: ['Id of the review, as in reviews.json.', ({ id }) => id],
  date: ['The day it was written, YYYY-MM-DD.', ({ date }) => date],
  rating: ['Whole stars, 1 to 5.', ({ rating }) => rating],
  title: ['Its title, if it has one.', ({ title }) => title],
  text: ['Its full text; empty for a rating without words.', ({ text }) => text],
  author: ['The name shown.', ({ author }) => author],
  author_avatar_url: ['A picture of the author.', (review) => review.author_avatar_url],
  language: ['BCP 47 tag of the text.', ({ language }) => language],
  source: ['The platform it was written on.', ({ source }) => source],
  source_url: ['The review on its platform.', (review) => review.source_url],
  reply: ['The reply of the business.', (review) => review.owner_reply?.text ?? null],
  reply_date: ['The day of the reply.', (review) => review.owner_reply?.date ?? null],
  updated_at: ['Last change of the record, UTC.', (review) => review.updated_at],
  url: ['Its permalink on this site.', ({ url }) => url],
  score: ['As given, if not full stars of 5.', ({ score }) => score?.value ?? null],
  score_best: ['The best score there is.', ({ score }) => score?.best ?? null],
  criticism_at: [
    'Where the criticism begins in text, in UTF-16 code units, after the praise.',
    (review) => review.criticism_at ?? null,
  ],
  verification: ['How it was checked that a customer wrote it.', (review) => review.verification],
  origin: [
    'Written unasked, invited or with an incentive, if known.',
    (review) => review.origin ?? null,
  ],
  sentiment: ['positive, neutral or negative.', (_, { sentiment }) => sentiment],
  aspects: [
    'What it judges and how, e.g. price:negative; separated by semicolons, like the next five.',
    (_, { aspects }) => aspects.map(({ id, sentiment }) => `${id}:${sentiment}`).join(';'),
  ],
  technicians: ['Ids of the people it names.', (_, { technicians }) => technicians.join(';')],
  services: ['Ids of the services it names.', (_, { services }) => services.join(';')],
  service_areas: ['Ids of the areas it names.', (_, labels) => labels.service_areas.join(';')],
  problems: ['Ids of the problems it names.', (_, { problems }) => problems.join(';')],
  topics: ['Ids of its topics.', (_, { topics }) => topics.join(';')],
  attributes: [
    'Kept columns, e.g. Nationality: Germany; separated by semicolons.',
    ({ attributes = {} }) =>
      Object.entries(attributes)
        .map((each) => each.join(': '))
        .join(';'),
  ],
};

export const CSV = documentResource({
  id: 'getReviewsCsv',
  path: CSV_PATH,
  type: CSV_TYPE,
  isDownload: true,
  tag: 'Reviews',
  title: 'The reviews for spreadsheets',
  description: `One review a row (RFC 4180, UTF-8 with a byte order mark): ${Object.keys(CSV_COLUMNS).join(', ')}. An apostrophe precedes a text that a spreadsheet could run as a formula.`,
  answer: 'The table, its header first.',
  build: ({ dataset, insights }) => [...csvLines(dataset.reviews, insights)].join(''),
});

/** Without it, spreadsheets take UTF-8 for an older encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/** Returns reviews.csv (RFC 4180) row by row, the header first. */
export function* csvLines(
  reviews: Iterable<Review>,
  { per_review: labels }: Pick<InsightsDataset, 'per_review'>,
): Generator<string> {
  yield BYTE_ORDER_MARK + toRow(Object.keys(CSV_COLUMNS));
  const columns = Object.values(CSV_COLUMNS);
  for (const review of reviews) {
    yield toRow(columns.map(([, value]) => value(review, labels[review.id]!)));
  }
}

/** Returns one row of a CSV file. Formulas are guarded. */
export function toRow(values: readonly (string | number | null)[]): string {
  return `${values.map(toField).join()}\r\n`;
}

function toField(value: string | number | null): string {
  if (value === null) return '';
  const text = guardCell(String(value));
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Begins like a formula for some spreadsheet, also after quotes and blanks
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[\s"']*[=+\-@＝＋－＠\t\r\n]/;
/**
 * Begins a cell, or a row, for spreadsheets that separate by semicolons or tabs: they do not heed
 * quotes that begin elsewhere.
 */
const INNER_FORMULA = /([;\t\r\n])(?=[\s"']*[=+\-@＝＋－＠])/g;
const GUARDED_INNER = /([;\t\r\n])'(?=[\s"']*[=+\-@＝＋－＠])/g;

/** Puts an apostrophe before each part of a text that a spreadsheet could run as a formula. */
export function guardCell(text: string): string {
  const guarded = text.replace(INNER_FORMULA, "$1'");
  return FORMULA.test(text) ? `'${guarded}` : guarded;
}

/** Returns the text that {@link guardCell} was given. */
export function unguardCell(text: string): string {
  const inner = text.replace(GUARDED_INNER, '$1');
  return inner.startsWith("'") && FORMULA.test(inner.slice(1)) ? inner.slice(1) : inner;
}
