import type { SearchFilters } from '../schema/search.ts';
import { linkTo, type FacetValue, type LinkedFilter } from './filter-links.ts';
import type { Pieces } from './pieces.ts';
import type { Matches, SearchIndex } from './search-index.ts';

/** A search for less, because all filters together find nothing. */
interface LooserSearch extends FacetValue {
  /** True if it leaves the filter out; false if it has this value instead. */
  leavesOut: boolean;
}

/** Words of a query that are offered by themselves. */
const MOST_WORDS = 4;

/**
 * Returns searches that find something where all filters together find nothing: those without one
 * of the filters, and those for one word of the query, the rarest first.
 */
export function* looserSearches(
  applied: readonly LinkedFilter[],
  given: URLSearchParams,
  filters: SearchFilters,
  { words = {} }: Pick<Matches, 'words'>,
  search: SearchIndex,
): Pieces<LooserSearch[]> {
  const { cursor: _, ...all } = filters;
  const looser: LooserSearch[] = [];
  // Without its only filter a search is the list of all reviews.
  for (const filter of applied.length > 1 ? applied : []) {
    const without = { ...all, [filter.name]: undefined, limit: 1 };
    const { matched: count } = yield* search.searchInPieces(without);
    if (count > 0) looser.push({ ...filter, count, leavesOut: true });
  }
  const found = Object.entries(words).filter(([, count]) => count > 0);
  for (const [word, count] of found.sort(([, a], [, b]) => a - b).slice(0, MOST_WORDS)) {
    const link = linkTo(given, 'query', word);
    looser.push({ name: 'query', value: word, label: word, leavesOut: false, link, count });
  }
  return looser;
}
