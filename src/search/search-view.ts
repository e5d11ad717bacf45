import type { Issue } from '../schema/error.ts';
import type { Review } from '../schema/review.ts';
import type { SearchFilters } from '../schema/search.ts';
import { reviewLine } from '../dataset/document.ts';
import { parseSearchParameters, SEARCH_PARAMETERS } from './parameters.ts';
import type { MentionNames, SearchIndex } from './search-index.ts';

type Parameter = keyof SearchFilters;

export interface Choice {
  value: string;
  label: string;
}

/** All that the search page shows; plain data, made where the reviews are. */
export interface SearchView {
  /** What was typed, as text; empty where a parameter was left out. */
  asked: Record<Parameter, string>;
  /** The parameters of this search and no other, for links; empty when nothing was asked. */
  link: string;
  /** What is wrong, by parameter; then nothing was searched. */
  issues: Partial<Record<Parameter, Issue>>;
  found: { matched: number; reviews: Review[] } | null;
  choices: { mentions_technician: Choice[]; mentions_service: Choice[] };
}

export function searchView(
  query: URLSearchParams,
  search: SearchIndex,
  names: MentionNames,
): SearchView {
  const asked = Object.fromEntries(
    SEARCH_PARAMETERS.map((name) => [name, query.getAll(name).find((value) => value !== '') ?? '']),
  ) as SearchView['asked'];
  const given = SEARCH_PARAMETERS.flatMap((name) =>
    query
      .getAll(name)
      .filter((value) => value !== '')
      .map((value) => [name, value]),
  );
  const view = {
    asked,
    link: new URLSearchParams(given).toString(),
    choices: {
      mentions_technician: choices(names.technicians),
      mentions_service: choices(names.services),
    },
  };
  const parsed = parseSearchParameters(query);
  if ('issues' in parsed) {
    const issues = Object.fromEntries(parsed.issues.map((issue) => [issue.path[0], issue]));
    return { ...view, issues, found: null };
  }
  const { matched, positions } = search.search(parsed.filters);
  const reviews = positions.map(
    (position) => JSON.parse(reviewLine(search.lines, position).toString()) as Review,
  );
  return { ...view, issues: {}, found: { matched, reviews } };
}

/** The first of its names is the one that is shown. */
function choices(entries: MentionNames['technicians']): Choice[] {
  return entries
    .map(({ id, names }) => ({ value: id, label: names[0] ?? id }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
}
