import { countFilters, type CountFilters } from '../schema/count.ts';
import { searchFilters, type SearchFilters } from '../schema/search.ts';
import { givenArguments, readArguments, type ReadArguments } from './arguments.ts';

/** Every parameter of a search, in the order of the schema. */
export const SEARCH_PARAMETERS = Object.keys(searchFilters.shape) as (keyof SearchFilters)[];

/** Returns the parameters of a search that a query string has a value for, in the schema's order. */
export function givenParameters(query: URLSearchParams): URLSearchParams {
  return givenArguments(searchFilters, query);
}

export function parseSearchParameters(query: URLSearchParams): ReadArguments<SearchFilters> {
  return readArguments(searchFilters, query);
}

export function parseCountParameters(query: URLSearchParams): ReadArguments<CountFilters> {
  return readArguments(countFilters, query);
}
