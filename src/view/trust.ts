import type { Wording } from '../messages/wording.ts';
import { PLATFORMS, verificationLevel } from '../schema/platforms.ts';
import type { Review } from '../schema/review.ts';
import { sourceName } from './wording.ts';

/**
 * Says who wrote the reviews and who says so, in a sentence for each level of checks: `All 900 reviews
 * are from guests whose stay Booking confirmed.`
 */
export function trustText(
  reviews: readonly Pick<Review, 'source' | 'verification'>[],
  { t, list }: Wording,
): string {
  const byLevel = Map.groupBy(reviews, ({ verification }) => verification);
  const sentences = verificationLevel.options.flatMap((level) => {
    const alike = byLevel.get(level);
    if (alike === undefined) return [];
    const sources = [...Map.groupBy(alike, ({ source }) => source)]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([source]) => source);
    const isOfStays = sources.every((source) => PLATFORMS[source]?.once === 'stay');
    const values = {
      count: alike.length,
      sources: list(sources.map(sourceName)),
      platforms: sources.length,
      kind: isOfStays ? 'stay' : 'purchase',
    };
    return t(`trust.${level}_${byLevel.size === 1 ? 'all' : 'some'}`, values);
  });
  return sentences.join(' ');
}

/** Explains the word under each of these reviews: `“stated” under a review: the business …` */
export function marksText(
  reviews: readonly Pick<Review, 'verification'>[],
  { t }: Wording,
): string {
  const levels = new Set(reviews.map(({ verification }) => verification));
  return verificationLevel.options
    .filter((level) => levels.has(level))
    .map((level) => t('trust.marked', { level, mark: t(`verification.${level}`) }))
    .join(' ');
}
