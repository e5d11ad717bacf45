import { oneLine } from '../schema/invisible.ts';
import type { ReviewRecord } from '../schema/review.ts';

/** Letters of a text that two people hardly write alike; shorter ones are phrases. */
export const LETTERS_OF_CHANCE = 40;

/**
 * Returns the reviews that have the same text, whatever its spaces and capitals: one that its author
 * wrote on two platforms, or a row that an export has twice. Which it is only a person can tell.
 */
export function equalTexts(reviews: readonly ReviewRecord[]): ReviewRecord[][] {
  const long = reviews.filter(({ text }) => (text?.length ?? 0) >= LETTERS_OF_CHANCE);
  const byText = Map.groupBy(long, ({ text }) => oneLine(text!).toLowerCase());
  return [...byText.values()].filter((alike) => alike.length > 1);
}
