import type { ReviewRecord } from '../schema/review.ts';
import { oneLine } from '../schema/invisible.ts';

/** Letters of a text that two people hardly write alike; shorter ones are phrases. */
const LEAST = 40;

/**
 * Returns the reviews that have the same text, whatever its spaces and capitals: one that its author
 * wrote on two platforms, or a row that an export has twice. Which it is only a person can tell.
 */
export function equalTexts<Part extends Pick<ReviewRecord, 'text'>>(
  reviews: readonly Part[],
): Part[][] {
  const long = reviews.filter(({ text }) => (text?.length ?? 0) >= LEAST);
  const byText = Map.groupBy(long, ({ text }) => oneLine(text!).toLowerCase());
  return [...byText.values()].filter((alike) => alike.length > 1);
}
