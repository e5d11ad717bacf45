import type { AggregateRating } from '../../schema/dataset.ts';
import type { Review } from '../../schema/review.ts';

/** What of two datasets is compared; older documents may have other fields beside. */
export interface Snapshot {
  aggregate_rating: Pick<AggregateRating, 'rating_value' | 'review_count' | 'distribution'>;
  reviews: readonly Review[];
}

export interface Edit {
  review: Review;
  /** The fields that differ. */
  fields: string[];
}

export interface Changes {
  added: Review[];
  edited: Edit[];
  removed: Review[];
}

/** Says nothing of its own: it follows from another field, from the site or from the vocabulary. */
const DERIVED = new Set(['url', 'updated_at', 'mentions']);

/** Reviews by what became of them, each list in the order of its dataset. */
export function compareReviews(before: Snapshot, after: Snapshot): Changes {
  const known = new Map(before.reviews.map((review) => [review.id, review]));
  const kept = new Set(after.reviews.map(({ id }) => id));
  return {
    added: after.reviews.filter(({ id }) => !known.has(id)),
    edited: after.reviews.flatMap((review) => {
      const fields = changedFields(known.get(review.id), review);
      return fields.length > 0 ? [{ review, fields }] : [];
    }),
    removed: before.reviews.filter(({ id }) => !kept.has(id)),
  };
}

function changedFields(before: Review | undefined, after: Review): string[] {
  if (!before) return [];
  const names = Object.keys(after) as (keyof Review)[];
  return names.filter(
    (name) => !DERIVED.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
