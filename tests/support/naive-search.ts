import { newestFirst } from '../../src/dataset/publish.ts';
import type { MentionNames } from '../../src/search/search-index.ts';
import type { Review } from '../../src/schema/review.ts';
import type { SearchFilters } from '../../src/schema/search.ts';

/** Search as the contract words it: looks at every review, knows no index. */
export function naiveSearch(
  reviews: readonly Review[],
  names: MentionNames,
  filters: SearchFilters,
): { matched: number; reviews: Review[] } {
  const technicians = idsOf(names.technicians, filters.mentions_technician);
  const services = idsOf(names.services, filters.mentions_service);
  const matching = reviews.filter(
    (review) =>
      (filters.rating === undefined || review.rating === filters.rating) &&
      (filters.min_rating === undefined || review.rating >= filters.min_rating) &&
      (filters.since === undefined || review.date >= filters.since) &&
      (filters.until === undefined || review.date <= filters.until) &&
      (filters.query === undefined || contains(review.text, filters.query)) &&
      (!technicians || review.mentions.technicians.some((id) => technicians.has(id))) &&
      (!services || review.mentions.services.some((id) => services.has(id))),
  );
  return {
    matched: matching.length,
    reviews: matching.toSorted(newestFirst).slice(0, filters.limit),
  };
}

/** Whether a text has a pattern in it, in whatever case and Unicode form either is written. */
export function contains(text: string | null, pattern: string): boolean {
  return text !== null && comparable(text).includes(comparable(pattern));
}

/** Half of a surrogate pair has no UTF-8 form: it can only be the replacement character. */
function comparable(text: string): string {
  return text.toWellFormed().normalize('NFC').toLowerCase();
}

/** The ids a name stands for; undefined when no name was given. */
function idsOf(entries: MentionNames['services'], name: string | undefined) {
  if (name === undefined) return undefined;
  return new Set(
    entries
      .filter(({ id, names }) => [id, ...names].map(comparable).includes(comparable(name)))
      .map(({ id }) => id),
  );
}
