import { readReview, reviewId } from '../dataset/document.ts';
import type { Issue } from '../schema/error.ts';
import type { SearchFilters } from '../schema/search.ts';
import {
  facetsOf,
  linkedFilter,
  linkTo,
  type FacetValue,
  type LinkedFilter,
  type Parameter,
} from './filter-links.ts';
import { atOnce } from './pieces.ts';
import { looserSearches } from './looser-searches.ts';
import { givenParameters, parseSearchParameters, SEARCH_PARAMETERS } from './parameters.ts';
import type { SearchIndex } from './search-index.ts';
import { stringWord, type Word } from './words.ts';

/** Everything that a list of reviews shows: plain data, computed where the reviews are. */
export type SearchView = ReturnType<typeof searchView>;

export function searchView(query: URLSearchParams, search: SearchIndex) {
  return atOnce(searchViewInPieces(query, search));
}

export function* searchViewInPieces(query: URLSearchParams, search: SearchIndex) {
  const given = givenParameters(query);
  const asked = SEARCH_PARAMETERS.map((name) => [name, given.get(name) ?? '']);
  const parsed = parseSearchParameters(query);
  const refused = 'issues' in parsed ? parsed.issues : [];
  const issues: Partial<Record<Parameter, Issue>> = Object.fromEntries(
    refused.map((issue) => [issue.path[0], issue]),
  );
  const applied = appliedFilters(given, search).filter(({ name }) => !(name in issues));
  yield;
  return {
    /** The parameters as they were typed; empty where one was left out. */
    asked: Object.fromEntries(asked) as Record<Parameter, string>,
    /** The query string of this search, for links, without unknown parameters. */
    link: given.toString(),
    issues,
    /** Null when there are issues. */
    found: 'issues' in parsed ? null : yield* findingsOf(parsed.filters, given, applied, search),
    applied,
  };
}

function* findingsOf(
  asked: SearchFilters,
  given: URLSearchParams,
  applied: readonly LinkedFilter[],
  search: SearchIndex,
) {
  const filters = byWords(asked);
  const { matched, positions, next, unresolved = [] } = yield* search.searchInPieces(filters);
  return {
    matched,
    reviews: positions.map((position) => readReview(search.lines, position)),
    /** The query string of the next page; undefined on the last one. */
    next: next && nextPage(given, next),
    /** Names in filters that nothing has, with what may have been meant. */
    unresolved,
    /** Searches that find something, if this one finds nothing. */
    looser: matched === 0 ? yield* looserSearches(applied, given, filters, search) : [],
    facets: yield* facetsOf(given, filters, search),
    /** Frequent subjects, where nothing was asked yet. */
    often: applied.length === 0 ? oftenMentioned(given, search) : [],
    /** Marks in the reviews: words, and for each id the ranges of the text that are about an aspect. */
    wanted: wantedWords(filters, search),
    quotes: quotesAbout(filters, positions, search),
    /** The query string of the same search by the API. */
    apiLink: filters.match === 'words' ? linkTo(given, 'match', 'words') : given.toString(),
  };
}

/** People type words, not substrings. */
function byWords(filters: SearchFilters): SearchFilters {
  return filters.query === undefined ? filters : { match: 'words', ...filters };
}

function wantedWords(filters: SearchFilters, search: SearchIndex): readonly Word[] {
  const { query, match } = filters;
  const narrow = Object.values(search.names.resolve(filters).meaning.narrow).map(
    ({ word }) => word,
  );
  if (query === undefined) return narrow;
  const words = match === 'words' ? search.words.parse(query) : [stringWord(query)];
  return [...narrow, ...words.filter(({ isExcluded }) => !isExcluded)];
}

/** Returns the ranges that an aspect filter found, with the sentiment that was asked for. */
function quotesAbout(
  { aspect, sentiment }: SearchFilters,
  positions: readonly number[],
  { labels, lines, names }: SearchIndex,
): Record<string, [number, number][]> {
  if (aspect === undefined || !labels) return {};
  const ids = names.resolve({ aspect }).meaning.ids.aspect ?? [];
  const quotes = positions.map((position) => {
    const about = labels
      .read(position)
      .aspects.filter(
        (label) => ids.includes(label.id) && (sentiment ?? label.sentiment) === label.sentiment,
      );
    return [reviewId(lines, position), about.flatMap(({ quote }) => (quote ? [quote] : []))];
  });
  return Object.fromEntries(quotes) as Record<string, [number, number][]>;
}

const MOST_OFTEN = 8;

/** Returns the topics, or without any the aspects, that most reviews have. */
function oftenMentioned(given: URLSearchParams, search: SearchIndex): FacetValue[] {
  const { counts } = search.countByValue({}, ['topic', 'aspect']);
  const name = counts.topic.length > 0 ? 'topic' : 'aspect';
  return counts[name]
    .slice(0, MOST_OFTEN)
    .map(({ value, count }) => ({ ...linkedFilter(name, value, given, search), count }));
}

export function nextPage(query: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return next.toString();
}

/** Parameters that filter nothing, or start where another page ended. */
const NO_FILTERS = new Set<Parameter>([
  'match',
  'in',
  'sort',
  'cursor',
  'detail',
  'facets',
  'limit',
]);

/** Returns the filters in use, in the order of the query string. */
function appliedFilters(given: URLSearchParams, search: SearchIndex): LinkedFilter[] {
  return ([...given] as [Parameter, string][])
    .filter(([name]) => !NO_FILTERS.has(name))
    .map(([name, value]) => linkedFilter(name, value, given, search, true));
}
