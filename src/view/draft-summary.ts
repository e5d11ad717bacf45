import type { InsightsDataset } from '../schema/insights.ts';
import type { AggregateRating } from '../schema/dataset.ts';
import { isHardlyRead } from './reading-coverage.ts';
import { praisedAndCriticized } from '../dataset/highlights.ts';
import type { Wording } from '../messages/wording.ts';

/** Fewer reviews are quicker read than summed up. */
const ENOUGH = 10;
/** Aspects with fewer opinions of one side are not named. */
const MIN_OPINIONS = 3;

type Aspect = InsightsDataset['aspects'][number];

/**
 * Sums the reviews up in counts, for a business that wrote no summary: `The average of 355 reviews is
 * 4.21 of 5. Most praised: …`. Null where there is too little to count.
 */
export function draftSummary(
  {
    rating_value: average,
    review_count: count,
  }: Pick<AggregateRating, 'rating_value' | 'review_count'>,
  { aspects, coverage }: Pick<InsightsDataset, 'aspects' | 'coverage'>,
  { t, decimal, figure, inSentence, list }: Wording,
): string | null {
  if (average === null || count < ENOUGH || isHardlyRead(coverage)) return null;
  const most = praisedAndCriticized(aspects);
  const named = (list: readonly Aspect[], side: 'positive_count' | 'negative_count') =>
    list
      .filter((aspect) => aspect[side] >= MIN_OPINIONS)
      .map((aspect) => `${inSentence(aspect.label)} (${figure(aspect[side])})`);
  const praised = named(most.praised, 'positive_count');
  const criticized = named(most.criticized, 'negative_count');
  return [
    t('draft.average', { count, average: decimal(average) }),
    ...(praised.length > 0 ? [t('draft.praised', { aspects: list(praised) })] : []),
    ...(criticized.length > 0 ? [t('draft.criticized', { aspects: list(criticized) })] : []),
  ].join(' ');
}
