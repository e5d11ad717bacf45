import type { SearchFilters } from '../schema/search.ts';
import { NAME_FILTERS, type NameFilter } from './filter-names.ts';
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
export function labelOf(name: Parameter, value: string, { names }: SearchIndex): string {
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

/** Returns the query string of the first page of a search with a parameter changed. */
export function linkTo(given: URLSearchParams, name: Parameter, value: string | undefined): string {
  const changed = new URLSearchParams(given);
  changed.delete('cursor');
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return changed.toString();
}
