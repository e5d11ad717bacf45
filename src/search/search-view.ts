import { readReview } from '../dataset/document.ts';
import type { Issue } from '../schema/error.ts';
import type { Review } from '../schema/review.ts';
import type { Sentiment } from '../schema/insights.ts';
import { searchFilters, type SearchFilters } from '../schema/search.ts';
import {
  facetsOf,
  linkedFilter,
  linkTo,
  type FacetValue,
  type LinkedFilter,
  type Parameter,
} from './filter-links.ts';
import { atOnce, type Pieces } from './pieces.ts';
import { markerOf } from './quotes.ts';
import { opposedFilters } from './result.ts';
import { givenArguments, readArguments } from './arguments.ts';
import type { SearchIndex, Matches } from './search-index.ts';
import { bestSentence, type TextRange } from './marks.ts';
import { askedFilters } from './asked-filters.ts';

/** Everything that a list of reviews shows: plain data, computed where the reviews are. */
export type SearchView = ReturnType<typeof searchView>;

export function searchView(query: URLSearchParams, search: SearchIndex) {
  return atOnce(searchViewInPieces(query, search));
}

export function* searchViewInPieces(query: URLSearchParams, search: SearchIndex) {
  const wanted = withAskedFilters(query, search);
  const given = givenArguments(searchFilters, wanted);
  const asked = Object.keys(searchFilters.shape).map((name) => [name, given.get(name) ?? '']);
  const parsed = readArguments(searchFilters, wanted);
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
    found: 'issues' in parsed ? null : yield* findingsOf(parsed.args, given, applied, search),
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
  const matches = yield* search.searchInPieces(filters);
  const { matched, positions, next, unresolved = [], understood } = matches;
  const reviews = positions.map((position) => readReview(search.lines, position));
  return {
    matched,
    reviews,
    /** The words of the query as they were read. */
    understood,
    /** Numbers of reviews about subjects that the query names. */
    wider: matches.wider,
    /** The query string of the next page; undefined on the last one. */
    next: next && linkTo(given, 'cursor', next),
    /** Names in filters that nothing has, with what may have been meant. */
    unresolved,
    /** Pairs of filters that no review can pass together. */
    opposed: opposedFilters(filters).map((names) =>
      names.slice(0, 2).map((name) => applied.find((filter) => filter.name === name)!),
    ),
    /** Reviews that fit the words best, if none has all of them. */
    best: matched === 0 ? yield* bestOf(filters, search) : undefined,
    /** Searches that find something, if this one finds nothing. */
    looser: matched === 0 ? yield* looserSearches(applied, given, filters, matches, search) : [],
    facets: yield* facetsOf(given, filters, search),
    /** Frequent subjects, where nothing was asked yet. */
    often: applied.length === 0 ? yield* oftenMentioned(given, search) : [],
    /** Ranges to mark by id: what the query was found by, and in texts what is about an aspect. */
    marks: yield* marksOf(filters, reviews, positions, search),
    /** The query string of the same search by the API. */
    apiLink: filters.match === 'words' ? linkTo(given, 'match', 'words') : given.toString(),
  };
}

/** Takes filters out of a question in plain words, unless a way of matching was chosen or a filter is given. */
function withAskedFilters(given: URLSearchParams, search: SearchIndex): URLSearchParams {
  const query = given.get('query');
  if (query === null || given.has('match') || given.has('cursor')) return given;
  const { filters, rest } = askedFilters(query, search);
  const taken = Object.entries(filters);
  if (taken.length === 0 || taken.some(([name]) => given.has(name))) return given;
  const changed = new URLSearchParams(given);
  for (const [name, value] of [['query', rest], ...taken] as [string, unknown][]) {
    changed.set(name, String(value));
  }
  return givenArguments(searchFilters, changed);
}

const MAX_BEST = 10;

/** Returns the reviews that fit the words of a search best; none if they may be about anything. */
function* bestOf(filters: SearchFilters, search: SearchIndex) {
  const { query } = filters;
  if (query === undefined || filters.match !== 'words') return undefined;
  const asked = { ...filters, query };
  const { positions, confidence, isSure } = yield* search.rankInPieces(asked, MAX_BEST);
  if (positions.length === 0) return undefined;
  const reading = yield* search.words.read(asked);
  const reviews = isSure ? positions.map((at) => readReview(search.lines, at)) : [];
  const shown = reviews.map(({ id, rating, date, language, text, title }) => {
    const words = text ?? title ?? '';
    const sentence = bestSentence(words, search.words.marksIn(words, reading));
    return { id, rating, date, language, sentence };
  });
  return { reviews: shown, confidence };
}

/** People type words, not substrings. */
function byWords(filters: SearchFilters): SearchFilters {
  return filters.query === undefined ? filters : { match: 'words', ...filters };
}

function* marksOf(
  filters: SearchFilters,
  reviews: readonly Review[],
  positions: readonly number[],
  search: SearchIndex,
): Pieces<Record<string, Record<'text' | 'title', TextRange[]>>> {
  const { ids } = search.names.resolve(filters).meaning;
  const marked = yield* markerOf(filters, search);
  const marks: Record<string, Record<'text' | 'title', TextRange[]>> = {};
  for (const [at, { id, text, title }] of reviews.entries()) {
    const quotes = quotesAbout(ids.aspect ?? [], filters.sentiment, positions[at]!, search);
    marks[id] = { text: [...marked(text), ...quotes], title: marked(title) };
    yield;
  }
  return marks;
}

/** Returns the ranges of a text that aspects were read in, with the sentiment that was asked for. */
function quotesAbout(
  aspects: readonly string[],
  asked: Sentiment | undefined,
  position: number,
  { labels }: SearchIndex,
): TextRange[] {
  if (aspects.length === 0 || !labels) return [];
  const about = labels
    .read(position)
    .aspects.filter(
      ({ id, sentiment }) => aspects.includes(id) && (asked ?? sentiment) === sentiment,
    );
  return about.flatMap(({ quote }): TextRange[] => (quote ? [[quote[0], quote[1]]] : []));
}

const MAX_OFTEN = 8;

/** Returns the topics, or without any the aspects, that most reviews have. */
function* oftenMentioned(given: URLSearchParams, search: SearchIndex): Pieces<FacetValue[]> {
  const { counts } = yield* search.countByValueInPieces({}, ['topic', 'aspect']);
  const name = counts.topic.length > 0 ? 'topic' : 'aspect';
  return counts[name]
    .slice(0, MAX_OFTEN)
    .map(({ value, count }) => ({ ...linkedFilter(name, value, given, search), count }));
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

/** A search for less, because all filters together find nothing. */
interface LooserSearch extends FacetValue {
  /** True if it leaves the filter out; false if it has this value instead. */
  leavesOut: boolean;
}

/** Words of a query that are offered by themselves. */
const MAX_WORDS = 4;

/**
 * Returns searches that find something where all filters together find nothing: those without one
 * of the filters, and those for one word of the query, the rarest first.
 */
function* looserSearches(
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
  for (const [word, count] of found.sort(([, a], [, b]) => a - b).slice(0, MAX_WORDS)) {
    const link = linkTo(given, 'query', word);
    looser.push({ name: 'query', value: word, label: word, leavesOut: false, link, count });
  }
  return looser;
}
