import type { PerReview } from '../schema/insights.ts';
import { quotablePieces } from '../schema/review-parts.ts';
import type { Review } from '../schema/review.ts';

/** Returns a sentence for each quote, phrase and passage that is no verbatim piece of its review. */
export function misquotes(
  reviews: readonly Pick<Review, 'id' | 'title' | 'text' | 'criticism_at'>[],
  perReview: Readonly<Record<string, PerReview>>,
): string[] {
  return reviews.flatMap((review) => {
    const { id } = review;
    const said = quotablePieces(review);
    const { aspects, quoted = [], passages, phrases, technician_opinions } = perReview[id]!;
    const pieces = [
      ...[...aspects, ...quoted, ...technician_opinions].map(({ quote }) => quote),
      ...[...passages, ...phrases].map(({ text: piece }) => piece),
    ];
    return pieces
      .filter((piece) => piece !== null && !said.some((words) => words.includes(piece)))
      .map((piece) => `per_review.${id}: the review does not say “${piece}”`);
  });
}
