import { readReview } from '../dataset/document.ts';
import type { Issue } from '../schema/error.ts';
import type { Review } from '../schema/review.ts';
import type { SearchFilters, Unresolved } from '../schema/search.ts';
import { NAME_FILTERS, type NameFilter } from './filter-names.ts';
import { givenParameters, parseSearchParameters, SEARCH_PARAMETERS } from './parameters.ts';
import type { SearchIndex } from './search-index.ts';

type Parameter = keyof SearchFilters;

export interface Choice {
  value: string;
  label: string;
}

/** Everything that the search page shows: plain data, computed where the reviews are. */
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
  } | null;
  choices: Record<NameFilter, Choice[]>;
}

export function searchView(query: URLSearchParams, search: SearchIndex): SearchView {
  const given = givenParameters(query);
  const view = {
    asked: Object.fromEntries(
      SEARCH_PARAMETERS.map((name) => [name, given.get(name) ?? '']),
    ) as SearchView['asked'],
    link: given.toString(),
    choices: choices(search),
  };
  const parsed = parseSearchParameters(query);
  if ('issues' in parsed) {
    const issues = Object.fromEntries(parsed.issues.map((issue) => [issue.path[0], issue]));
    return { ...view, issues, found: null };
  }
  const { matched, positions, next, unresolved = [] } = search.search(parsed.filters);
  const reviews = positions.map((position) => readReview(search.lines, position));
  const found = { matched, reviews, next: next && nextPage(given, next), unresolved };
  return { ...view, issues: {}, found };
}

/** Returns the query string of the page behind a cursor. */
export function nextPage(query: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return next.toString();
}

/** Offers each id that a filter takes under its label. */
function choices({ names }: SearchIndex): SearchView['choices'] {
  const lists = Object.entries(NAME_FILTERS).map(([parameter, kind]) => [
    parameter,
    names.kinds[kind].entries
      .map(({ id, label }) => ({ value: id, label }))
      .sort((a, b) => (a.label < b.label ? -1 : 1)),
  ]);
  return Object.fromEntries(lists) as SearchView['choices'];
}
