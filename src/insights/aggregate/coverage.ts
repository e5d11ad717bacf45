import type { InsightsDataset, PerReview } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { ENGINE } from '../analyze/review-reader.ts';
import { knownLanguage } from '../languages/languages.ts';

/**
 * Counts the reviews whose words were read: those in a language of the engine, and those that an
 * annotator labeled. All others count by their stars only.
 */
export function countCoverage(
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): InsightsDataset['coverage'] {
  const withWords = reviews.filter(({ title, text }) => title !== null || text !== null);
  const isRead = ({ id, language }: Review) =>
    perReview[id]!.source !== ENGINE || knownLanguage(language) !== undefined;
  const languages = [...Map.groupBy(withWords, ({ language }) => primary(language))]
    .map(([language, own]) => ({
      language,
      review_count: own.length,
      read_count: own.filter(isRead).length,
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

/** `pt-BR` → `pt`. */
function primary(language: string): string {
  return language.split('-')[0]!;
}
