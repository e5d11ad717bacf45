import { hasNamesIn } from '../../schema/by-language.ts';
import { STARS, type InsightsDataset, type PerReview } from '../../schema/insights.ts';
import type { Review, ReviewRecord } from '../../schema/review.ts';
import { ENGINE } from '../analyze/review-reader.ts';
import { ENGLISH, knownLanguage } from '../languages/languages.ts';
import { quotedOnly } from './quoted-only.ts';

/** Fewer reviews of a language do not speak for it. */
export const MIN_READ = 20;
/** Smaller shares of all texts do not speak for the business. */
const MIN_SHARE = 1 / 3;

type Written = Pick<ReviewRecord | Review, 'id' | 'language' | 'title' | 'text' | 'rating'>;
type Readings = ReadonlyMap<string, PerReview>;

/**
 * Withholds the words of a language in which too few reviews were read: a few guests who write English do
 * not speak for all others. Such readings keep stars and names, and in a language without shares, quotes.
 */
export function withheldFew(readings: Readings, reviews: readonly Written[]): Readings {
  const written = reviews.filter(hasWords);
  const read = written.filter(({ id, language }) => isRead(readings.get(id)!, language));
  const byLanguage = Map.groupBy(read, ({ language }) => primary(language));
  const told = [...byLanguage.values()].filter((own) => own.length >= MIN_READ).flat();
  const isEnough = told.length >= written.length * MIN_SHARE;
  const kept = new Set(isEnough ? told.map(({ id }) => id) : []);
  const changed = new Map(
    read.filter(({ id }) => !kept.has(id)).map(({ id }) => [id, withoutWords(readings.get(id)!)]),
  );
  const uncounted = written.filter(
    ({ id, language }) =>
      readings.get(id)!.source === ENGINE && knownLanguage(language)?.counted === false,
  );
  for (const own of Map.groupBy(uncounted, ({ language }) => primary(language)).values()) {
    const quoted = quotedOnly(own.map((review) => [review.rating, readings.get(review.id)!]));
    own.forEach(({ id }, at) => {
      changed.set(id, { ...withoutWords(readings.get(id)!), ...quoted?.[at] });
    });
  }
  return new Map([...readings].map(([id, reading]) => [id, changed.get(id) ?? reading]));
}

function withoutWords(reading: PerReview): PerReview {
  const none = { aspects: [], problems: [], topics: [], phrases: [], passages: [] };
  return { ...reading, ...none, source: STARS, technician_opinions: [] };
}

/**
 * Counts the reviews whose words were read: those in a language of the engine, and those that an
 * annotator labeled. All others count by their stars only; some of them are quoted.
 */
export function countCoverage(
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): InsightsDataset['coverage'] {
  const withWords = reviews.filter(hasWords);
  const languages = [...Map.groupBy(withWords, ({ language }) => primary(language))]
    .map(([language, own]) => ({
      language,
      review_count: own.length,
      read_count: own.filter(({ id }) => isRead(perReview[id]!, language)).length,
      quoted_count: own.filter(({ id }) => perReview[id]!.quoted !== undefined).length,
    }))
    .sort((a, b) => b.review_count - a.review_count || (a.language < b.language ? -1 : 1));
  const read = languages.reduce((sum, { read_count }) => sum + read_count, 0);
  return {
    read_count: read,
    stars_only_count: reviews.length - read,
    without_words_count: reviews.length - withWords.length,
    languages,
  };
}

/** Counts the reviews that could name an entry: those read in a language that it has words in. */
export function countAmong(
  entry: Parameters<typeof hasNamesIn>[0],
  { languages }: InsightsDataset['coverage'],
): number {
  return languages.reduce(
    (sum, { language, read_count }) => sum + (hasNamesIn(entry, language) ? read_count : 0),
    0,
  );
}

function hasWords({ title, text }: Pick<Written, 'title' | 'text'>): boolean {
  return title != null || text != null;
}

function isRead({ source }: PerReview, language: string | undefined): boolean {
  return source === ENGINE ? knownLanguage(language)?.counted === true : source !== STARS;
}

/** `pt-BR` → `pt`. */
function primary(language: string = ENGLISH.code): string {
  return language.split('-')[0]!;
}
