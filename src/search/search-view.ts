import { readReview } from '../dataset/document.ts';
import type { Issue } from '../schema/error.ts';
import type { Review } from '../schema/review.ts';
import type { Unresolved } from '../schema/search.ts';
import {
  appliedFilters,
  facetsOf,
  looserSearches,
  type AppliedFilter,
  type Facet,
  type LooserSearch,
  type Parameter,
} from './facets.ts';
import { givenParameters, parseSearchParameters, SEARCH_PARAMETERS } from './parameters.ts';
import type { SearchIndex } from './search-index.ts';

/** Everything that a list of reviews shows: plain data, computed where the reviews are. */
export interface SearchView {
  /** The parameters as they were typed; empty where one was left out. */
  asked: Record<Parameter, string>;
  /** The query string of this search, for links, without unknown parameters. */
  link: string;
  /** Issues by parameter. */
  issues: Partial<Record<Parameter, Issue>>;
  /** Null when there are issues. */
  found: {
    matched: number;
    reviews: Review[];
    /** The query string of the next page; undefined on the last one. */
    next: string | undefined;
    /** Names in filters that nothing has, with what may have been meant. */
    unresolved: Unresolved[];
    /** Searches that find something, if this one finds nothing. */
    looser: LooserSearch[];
    facets: Facet[];
  } | null;
  applied: AppliedFilter[];
}

export function searchView(query: URLSearchParams, search: SearchIndex): SearchView {
  const given = givenParameters(query);
  const view = {
    asked: Object.fromEntries(
      SEARCH_PARAMETERS.map((name) => [name, given.get(name) ?? '']),
    ) as SearchView['asked'],
    link: given.toString(),
    applied: appliedFilters(given, search),
  };
  const parsed = parseSearchParameters(query);
  if ('issues' in parsed) {
    const issues = Object.fromEntries(parsed.issues.map((issue) => [issue.path[0], issue]));
    const applied = view.applied.filter(({ name }) => !(name in issues));
    return { ...view, applied, issues, found: null };
  }
  const { filters } = parsed;
  const { matched, positions, next, unresolved = [] } = search.search(filters);
  const found = {
    matched,
    reviews: positions.map((position) => readReview(search.lines, position)),
    next: next && nextPage(given, next),
    unresolved,
    looser: matched === 0 ? looserSearches(view.applied, given, filters, search) : [],
    facets: facetsOf(given, filters, search),
  };
  return { ...view, issues: {}, found };
}

/** Returns the query string of the page behind a cursor. */
export function nextPage(query: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return next.toString();
}
