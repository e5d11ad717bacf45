import type { GroupName } from '../schema/groups.ts';
import type { SearchFilters } from '../schema/search.ts';
import { NAME_FILTERS, type NameFilter } from './filter-names.ts';
import { labelOf, linkTo, type FacetValue, type Parameter } from './filter-links.ts';
import type { SearchIndex } from './search-index.ts';

/** The values of a filter that would narrow a search; in the order of counts. */
export interface Facet {
  name: Parameter;
  values: FacetValue[];
}

/** Filters that are chosen from a list, in the order of the page, and what counts their values. */
const COUNTED_BY = {
  rating: 'rating',
  has_text: undefined,
  has_reply: 'replied',
  source: 'source',
  language: 'language',
  mentions_service: 'service',
  mentions_technician: 'technician',
  aspect: 'aspect',
  sentiment: 'sentiment',
  mentions_problem: 'problem',
  mentions_area: 'area',
  topic: 'topic',
} as const satisfies Partial<Record<Parameter, GroupName | undefined>>;

/**
 * Returns each filter with values that would narrow the search, or that could replace the one in use.
 */
export function facetsOf(
  given: URLSearchParams,
  filters: SearchFilters,
  search: SearchIndex,
): Facet[] {
  const names = Object.keys(COUNTED_BY) as (keyof typeof COUNTED_BY)[];
  const groups = names.flatMap((name) =>
    filters[name] === undefined ? (COUNTED_BY[name] ?? []) : [],
  );
  const { cursor: _, ...all } = filters;
  const { matched, facets } = search.search({ ...all, limit: 1, facets: groups });
  return names
    .map((name) => {
      const chosen = filters[name];
      const group = COUNTED_BY[name];
      const without = { ...all, [name]: undefined, limit: 1 } as SearchFilters;
      const counts = !group
        ? textCounts(without, search)
        : chosen === undefined
          ? facets![group]!
          : search.search({ ...without, facets: [group] }).facets![group]!;
      const isChosen = (value: string) =>
        chosen !== undefined && idsOf(name, String(chosen), search).includes(value);
      const values = counts
        .filter(({ count }) => count > 0 && (chosen !== undefined || count < matched))
        .map(({ value, count }) => {
          const label = labelOf(name, value, search);
          if (!isChosen(value))
            return { name, value, label, count, link: linkTo(given, name, value) };
          const link = linkTo(given, name, undefined);
          return { name, value, label, count, link, isChosen: true };
        });
      return { name, values };
    })
    .filter(({ values }) => values.length > 0);
}

/** Returns the ids of names, or any other value itself. */
function idsOf(name: Parameter, value: string, { names }: SearchIndex): readonly string[] {
  return name in NAME_FILTERS
    ? (names.resolve({ [name]: value }).meaning.ids[name as NameFilter] ?? [])
    : [value];
}

/** Counts the matches with a text and without one. */
function textCounts(filters: SearchFilters, search: SearchIndex) {
  const { matched } = search.search({ ...filters, limit: 1 });
  const count = search.search({ ...filters, limit: 1, has_text: true }).matched;
  return [
    { value: 'true', count },
    { value: 'false', count: matched - count },
  ];
}
