import type { ReviewFilters, SearchFilters } from '../schema/search.ts';
import { NAME_FILTERS, type NameFilter } from './filter-names.ts';
import type { Pieces } from './pieces.ts';
import type { Counted } from './groups.ts';
import type { SearchIndex } from './search-index.ts';

export type Parameter = keyof SearchFilters;

/** A filter, and the query string of the search that a link to it leads to. */
export interface LinkedFilter {
  name: Parameter;
  value: string;
  /** The name of an id; otherwise the value itself. */
  label: string;
  link: string;
}

/** A filter that could be added, with the number of reviews that would match then. */
export interface FacetValue extends LinkedFilter {
  count: number;
  /** True if the filter is in use; its link then leads to the search without it. */
  isChosen?: boolean;
}

/** Returns the names of the ids in a filter; any other value itself. */
function labelOf(name: Parameter, value: string, { names }: SearchIndex): string {
  if (!(name in NAME_FILTERS)) return value;
  const index = names.kinds[NAME_FILTERS[name as NameFilter]];
  const known = index.labelOf(value);
  if (known !== undefined) return known;
  const labels = names.namesIn(name as NameFilter, value).map(({ name, found, isExcluded }) => {
    const label = index.labelOf(found[0] ?? '') ?? name;
    return isExcluded ? `− ${label}` : label;
  });
  return labels.join(', ');
}

/** Returns a filter with a link to the search that has it, or to the one without it. */
export function linkedFilter(
  name: Parameter,
  value: string,
  given: URLSearchParams,
  search: SearchIndex,
  isApplied = false,
): LinkedFilter {
  const link = linkTo(given, name, isApplied ? undefined : value);
  return { name, value, label: labelOf(name, value, search), link };
}

/** Returns the query string of a search with a parameter changed: its first page, unless that is the cursor. */
export function linkTo(given: URLSearchParams, name: Parameter, value: string | undefined): string {
  const changed = new URLSearchParams(given);
  changed.delete('cursor');
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return changed.toString();
}

/** The values of a filter that would narrow a search; in the order of counts. */
export interface Facet {
  name: keyof typeof COUNTED_BY;
  values: FacetValue[];
}

/** Filters that are chosen from a list, in the order of the page, and what counts their values. */
const COUNTED_BY = {
  rating: 'rating',
  has_text: 'worded',
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
  attribute: 'attribute',
} as const satisfies Partial<Record<Parameter, Counted>>;

/** Returns each filter with values that would narrow the search, or that could replace the one in use. */
export function* facetsOf(
  given: URLSearchParams,
  filters: ReviewFilters,
  search: SearchIndex,
  names = Object.keys(COUNTED_BY) as readonly Facet['name'][],
): Pieces<Facet[]> {
  const free = names.filter((name) => filters[name] === undefined);
  const { matched, counts } = yield* search.countByValueInPieces(
    filters,
    free.map((name) => COUNTED_BY[name]),
  );
  const facets: Facet[] = [];
  for (const name of names) {
    const chosen = filters[name];
    const kind = COUNTED_BY[name];
    const { [name]: _, ...others } = filters;
    const all =
      chosen === undefined ? counts : (yield* search.countByValueInPieces(others, [kind])).counts;
    const isChosen = (value: string) =>
      chosen !== undefined && idsOf(name, String(chosen), search).includes(value);
    const values = all[kind]
      .filter(({ count }) => chosen !== undefined || count < matched)
      .map(({ value, count }): FacetValue => {
        const applied = isChosen(value);
        const filter = linkedFilter(name, value, given, search, applied);
        return { ...filter, count, ...(applied && { isChosen: true }) };
      });
    if (values.length > 0) facets.push({ name, values });
    yield;
  }
  return facets;
}

function idsOf(name: Parameter, value: string, { names }: SearchIndex): readonly string[] {
  return name in NAME_FILTERS
    ? (names.resolve({ [name]: value }).meaning.ids[name as NameFilter] ?? [])
    : [value];
}
