import type { ReviewFilters } from '../schema/search.ts';

/** Filters of which the first may not be beyond the second. */
const BOUNDS = [
  ['since', 'until', 'after'],
  ['min_rating', 'max_rating', 'above'],
  ['min_rating', 'rating', 'above'],
  ['rating', 'max_rating', 'above'],
] as const;

/** Names the filters that no review can pass together, if there are any. */
export function contradictionsOf(filters: ReviewFilters): { contradictions?: string[] } {
  const contradictions = BOUNDS.flatMap(([least, most, beyond]) => {
    const [from, to] = [filters[least], filters[most]];
    const isBeyond = from !== undefined && to !== undefined && from > to;
    return isBeyond ? [`${least} is ${beyond} ${most}`] : [];
  });
  return contradictions.length > 0 ? { contradictions } : {};
}
