import { MIN_READ } from '../insights/aggregate/coverage.ts';
import type { InsightsDataset, ReadingCoverage } from '../schema/insights.ts';
import type { Provenance } from '../schema/provenance.ts';
import type { Wording } from '../messages/wording.ts';

/** A bar needs this many opinions. */
const MIN_FOR_BAR = 5;
/** "Often" needs this many reviews. */
const MIN_FOR_OFTEN = 3;

/**
 * Says which reviews were read: `8 of 90 reviews are in English and were read; 82 count by their stars
 * only.` Then, which of these are quoted, and why nobody's words count on a young site.
 */
export function coverageText(coverage: ReadingCoverage, wording: Wording): string {
  const { read_count: read, stars_only_count: unread, languages } = coverage;
  const isYoung = read === 0 && unread - coverage.without_words_count < MIN_READ;
  const { t, languageNames } = wording;
  const all = read + unread;
  if (unread === 0) return t('read.all', { all });
  const codes = languages
    .filter(({ read_count }) => read_count > 0)
    .map(({ language }) => language);
  const counted =
    codes.length === 0
      ? t('read.none', { all, read, unread })
      : t('read.some', { all, read, unread, languages: languageNames(codes) });
  const quoted = languages.reduce((sum, { quoted_count = 0 }) => sum + quoted_count, 0);
  const names = quotedLanguages(coverage, wording);
  return [
    counted,
    ...(isYoung ? [t('read.few', { least: MIN_READ })] : []),
    ...(quoted > 0 ? [t('read.quoted', { count: quoted, languages: names })] : []),
  ].join(' ');
}

/** Says how many reviews each reader read: the engine, a model or a person. */
export function readersText(
  readers: Provenance['readers'],
  { engine, engine_version: version }: InsightsDataset['method'],
  { t, percent }: Wording,
): string {
  const sentences = readers.map(({ name, review_count: count, share_pct }) =>
    t(name === engine ? 'readers.engine' : 'readers.other', {
      name,
      count,
      share: percent(share_pct),
      version,
    }),
  );
  return sentences.join(' ');
}

/** Names the languages that are quoted, but of which no share is counted. */
export function quotedLanguages(
  { languages }: ReadingCoverage,
  { languageNames }: Wording,
): string {
  const quoted = languages.filter(({ quoted_count = 0 }) => quoted_count > 0);
  return languageNames(quoted.map(({ language }) => language));
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
  return count >= MIN_FOR_BAR && !isHardlyRead(coverage);
}

/** Returns the heading of phrases of one side: `Often praised`, or `Praised` if only a few did. */
export function phrasesLabel(
  { positive_count, negative_count }: InsightsDataset['aspects'][number],
  side: 'positive' | 'negative',
  { t }: Wording,
): string {
  const isOften = (side === 'positive' ? positive_count : negative_count) >= MIN_FOR_OFTEN;
  return isOften ? t(`phrases.often_${side}`) : t(`phrases.${side}`);
}
