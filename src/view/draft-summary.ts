import type { InsightsDataset } from '../schema/insights.ts';
import type { AggregateRating } from '../schema/dataset.ts';
import { isHardlyRead } from './reading-coverage.ts';
import { counted, figure } from './wording.ts';

/** Fewer reviews are quicker read than summed up. */
const ENOUGH = 10;
/** Opinions of one side that an aspect is named for. */
const LEAST = 3;
const NAMED = 3;

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
): string | null {
  if (average === null || count < ENOUGH || isHardlyRead(coverage)) return null;
  const most = (side: 'positive_count' | 'negative_count') =>
    aspects
      .filter((aspect) => aspect[side] >= LEAST)
      .sort((a, b) => b[side] - a[side])
      .slice(0, NAMED)
      .map((aspect) => `${aspect.label.toLowerCase()} (${figure(aspect[side])})`);
  const sentence = (start: string, parts: readonly string[]) =>
    parts.length === 0 ? '' : ` ${start} ${new Intl.ListFormat('en').format(parts)}.`;
  return (
    `The average of ${counted(count, 'review')} is ${average.toFixed(2)} of 5.` +
    sentence('Praised most often:', most('positive_count')) +
    sentence('Criticized most often:', most('negative_count'))
  );
}
