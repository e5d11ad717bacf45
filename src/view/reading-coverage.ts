import type { InsightsDataset, ReadingCoverage } from '../schema/insights.ts';
import { counted, figure } from './wording.ts';

/** A bar needs this many opinions. */
const LEAST_FOR_BAR = 5;
/** "Often" needs this many reviews. */
const LEAST_FOR_OFTEN = 3;

const languageName = new Intl.DisplayNames('en', { type: 'language' });

/**
 * Says which reviews were read, in one sentence: `8 of 90 reviews are in English and were read; 82
 * count by their stars only.`
 */
export function coverageText({ read_count, stars_only_count, languages }: ReadingCoverage): string {
  const all = read_count + stars_only_count;
  if (stars_only_count === 0) return `All ${counted(all, 'review')} were read.`;
  const read = languages.filter(({ read_count }) => read_count > 0).map(({ language }) => language);
  const isIn = read.length === 0 ? '' : `${isAre(read_count)} in ${languageNames(read)} and `;
  const count = figure(stars_only_count);
  return (
    `${figure(read_count)} of ${counted(all, 'review')} ${isIn}${read_count === 1 ? 'was' : 'were'} read; ` +
    `${count} ${stars_only_count === 1 ? 'counts' : 'count'} by ${stars_only_count === 1 ? 'its' : 'their'} stars only.`
  );
}

function isAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** Joins the names of languages: `English and Spanish`. */
export function languageNames(codes: readonly string[]): string {
  return new Intl.ListFormat('en').format(codes.map((code) => languageName.of(code) ?? code));
}

/** Tells whether some reviews have words that were not read. */
export function leavesOutWords({
  stars_only_count,
  without_words_count,
}: ReadingCoverage): boolean {
  return stars_only_count > without_words_count;
}

/** Tells whether so few words were read that a chart of them would mislead. */
export function isHardlyRead({
  read_count,
  stars_only_count,
  without_words_count,
}: ReadingCoverage) {
  return read_count * 3 < read_count + stars_only_count - without_words_count;
}

/** Tells whether shares of this many opinions may be drawn as a bar. */
export function drawsBar(count: number, coverage: ReadingCoverage): boolean {
  return count >= LEAST_FOR_BAR && !isHardlyRead(coverage);
}

/** Returns the heading of phrases of one side: `Often praised`, or `Praised` if only a few did. */
export function phrasesLabel(
  { positive_count, negative_count }: InsightsDataset['aspects'][number],
  side: 'positive' | 'negative',
): string {
  const isOften = (side === 'positive' ? positive_count : negative_count) >= LEAST_FOR_OFTEN;
  const word = side === 'positive' ? 'praised' : 'criticized';
  return isOften ? `Often ${word}` : word.charAt(0).toUpperCase() + word.slice(1);
}
