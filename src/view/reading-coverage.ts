import type { InsightsDataset, ReadingCoverage } from '../schema/insights.ts';
import type { Wording } from '../messages/wording.ts';

/** A bar needs this many opinions. */
const LEAST_FOR_BAR = 5;
/** "Often" needs this many reviews. */
const LEAST_FOR_OFTEN = 3;

/**
 * Says which reviews were read, in one sentence: `8 of 90 reviews are in English and were read; 82
 * count by their stars only.`
 */
export function coverageText(
  { read_count: read, stars_only_count: unread, languages }: ReadingCoverage,
  { t, languageNames }: Wording,
): string {
  const all = read + unread;
  if (unread === 0) return t('read.all', { all });
  const codes = languages
    .filter(({ read_count }) => read_count > 0)
    .map(({ language }) => language);
  if (codes.length === 0) return t('read.none', { all, read, unread });
  return t('read.some', { all, read, unread, languages: languageNames(codes) });
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
  { t }: Wording,
): string {
  const isOften = (side === 'positive' ? positive_count : negative_count) >= LEAST_FOR_OFTEN;
  return isOften ? t(`phrases.often_${side}`) : t(`phrases.${side}`);
}
