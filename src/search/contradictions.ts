import type { ReviewFilters } from '../schema/search.ts';

/** Filters of which the first may not be beyond the second. */
const BOUNDS = [
  ['since', 'until', 'after'],
  ['min_rating', 'max_rating', 'above'],
  ['min_rating', 'rating', 'above'],
  ['rating', 'max_rating', 'above'],
] as const;

/** Returns the pairs of filters that no review can pass together. */
export function opposedFilters(filters: ReviewFilters) {
  return BOUNDS.filter(([least, most]) => {
    const [from, to] = [filters[least], filters[most]];
    return from !== undefined && to !== undefined && from > to;
  });
}

/** Names the filters that no review can pass together, if there are any. */
export function contradictionsOf(filters: ReviewFilters): { contradictions?: string[] } {
  const contradictions = opposedFilters(filters).map(
    ([least, most, beyond]) => `${least} is ${beyond} ${most}`,
  );
  return contradictions.length > 0 ? { contradictions } : {};
}
