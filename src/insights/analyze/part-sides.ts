import { isParted } from '../../schema/review-parts.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import type { Token } from './tokens.ts';

type PartedReview = Pick<ReviewRecord, 'title' | 'text' | 'criticism_at'>;

/**
 * Returns the side of the form that each word of a review was written into: 1 for praise, -1 for
 * criticism, 0 in a title and in a text without such parts.
 */
export function partSides(tokens: readonly Token[], review: PartedReview): Int8Array {
  const sides = new Int8Array(tokens.length);
  const { title, criticism_at: at = 0 } = review;
  if (!isParted(review)) return sides;
  const text = title == null ? 0 : title.length + 1;
  return sides.map((_, word) => {
    const { start } = tokens[word]!;
    if (start < text) return 0;
    return start < text + at ? 1 : -1;
  });
}
