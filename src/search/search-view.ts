import { readReview, reviewId } from '../dataset/document.ts';
import { editDistance } from './edit-distance.ts';
import type { Issue } from '../schema/error.ts';
import type { GroupName } from '../schema/groups.ts';
import type { Review } from '../schema/review.ts';
import type { SearchFilters, Unresolved } from '../schema/search.ts';
import { fold } from './fold.ts';
import { NAME_FILTERS, type NameFilter } from './filter-names.ts';
import { givenParameters, parseSearchParameters, SEARCH_PARAMETERS } from './parameters.ts';
import type { Matches, SearchIndex } from './search-index.ts';
import type { Steps } from './steps.ts';
import { stringWord, type Word } from './words.ts';

export type Parameter = keyof SearchFilters;

/** A filter, and the query string of the search that a link to it leads to. */
interface LinkedFilter {
  name: Parameter;
  value: string;
  /** The name of an id; otherwise the value itself. */
  label: string;
  link: string;
}

/** A filter in use; its link leads to the search without it. */
type AppliedFilter = LinkedFilter;

/** A filter that could be added, with the number of reviews that would match then. */
export interface FacetValue extends LinkedFilter {
  count: number;
  /** True if the filter is in use; its link then leads to the search without it. */
  isChosen?: boolean;
}

/** A search for less, because all filters together find nothing. */
interface LooserSearch extends FacetValue {
  /** True if it leaves the filter out; false if it has this value instead. */
  leavesOut: boolean;
}

/** The values of a filter that would narrow a search; in the order of counts. */
export interface Facet {
  name: Parameter;
  values: FacetValue[];
}

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
    /** Frequent subjects, where nothing was asked yet. */
    often: FacetValue[];
    /** Marks in the reviews: words, and for each id the ranges of the text that are about an aspect. */
    wanted: readonly Word[];
    quotes: Readonly<Record<string, [from: number, to: number][]>>;
    /** The query string of the same search by the API. */
    apiLink: string;
  } | null;
  applied: AppliedFilter[];
}

/** Returns the view of a query. */
export function* searchView(query: URLSearchParams, search: SearchIndex): Steps<SearchView> {
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
  const filters = byWords(parsed.filters);
  yield* search.prepare(filters);
  const { matched, positions, next, unresolved = [] } = search.search(filters);
  const reviews = positions.map((position) => readReview(search.lines, position));
  yield;
  const found = {
    matched,
    reviews,
    next: next && nextPage(given, next),
    unresolved,
    looser: matched === 0 ? yield* looserSearches(view.applied, given, filters, search) : [],
    facets: facetsOf(given, filters, search),
    often: view.applied.length === 0 ? oftenMentioned(given, search) : [],
    wanted: wantedWords(filters, search),
    quotes: quotesAbout(filters, positions, search),
    apiLink: filters.match === 'words' ? linkTo(given, 'match', 'words') : view.link,
  };
  return { ...view, issues: {}, found };
}

/** People type words, not substrings. */
function byWords(filters: SearchFilters): SearchFilters {
  return filters.query === undefined ? filters : { match: 'words', ...filters };
}

function wantedWords(filters: SearchFilters, search: SearchIndex): readonly Word[] {
  const { query, match } = filters;
  const narrow = Object.values(search.names.resolve(filters).narrow).map(({ word }) => word);
  if (query === undefined) return narrow;
  return [...narrow, ...(match === 'words' ? search.wordsOf(query) : [stringWord(query)])];
}

/** Returns the ranges that an aspect filter found, with the sentiment that was asked for. */
function quotesAbout(
  { aspect, sentiment }: SearchFilters,
  positions: readonly number[],
  { labels, lines, names }: SearchIndex,
): Record<string, [number, number][]> {
  if (aspect === undefined || !labels) return {};
  const ids = names.kinds.aspect.resolve(aspect);
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
  const { facets } = search.search({ limit: 1, facets: ['topic', 'aspect'] });
  const name = facets!.topic!.length > 0 ? 'topic' : 'aspect';
  return facets![name]!.slice(0, MOST_OFTEN).map(({ value, count }) => {
    const label = labelOf(name, value, search);
    return { name, value, label, count, link: linkTo(given, name, value) };
  });
}

/** Returns the query string of the page behind a cursor. */
export function nextPage(query: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return next.toString();
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
function appliedFilters(given: URLSearchParams, search: SearchIndex): AppliedFilter[] {
  return ([...given] as [Parameter, string][])
    .filter(([name]) => !NO_FILTERS.has(name))
    .map(([name, value]) => ({
      name,
      value,
      label: labelOf(name, value, search),
      link: linkTo(given, name, undefined),
    }));
}

/**
 * Returns each filter with values that would narrow the search, or that could replace the one in use.
 */
function facetsOf(given: URLSearchParams, filters: SearchFilters, search: SearchIndex): Facet[] {
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

/** Returns the ids of a name, or any other value itself. */
function idsOf(name: Parameter, value: string, { names }: SearchIndex): readonly string[] {
  return name in NAME_FILTERS
    ? names.kinds[NAME_FILTERS[name as NameFilter]].resolve(value)
    : [value];
}

/** Letters in which a misspelled word differs from the one it is replaced by. */
const MOST_TYPOS = 2;
/** Words of a query that are tried by themselves, and letters of their beginnings. */
const TRIED = { words: 4, letters: { least: 3, most: 12 } };

/**
 * Returns searches that find something where all filters together find nothing: those without one
 * of the filters, and those for a word that begins as one of the query does.
 */
function* looserSearches(
  applied: readonly AppliedFilter[],
  given: URLSearchParams,
  filters: SearchFilters,
  search: SearchIndex,
): Steps<LooserSearch[]> {
  const { cursor: _, ...all } = filters;
  const looser: LooserSearch[] = [];
  function* add(found: Omit<LooserSearch, 'count'>, changed: Partial<SearchFilters>): Steps<void> {
    const { matched: count } = yield* searchInSteps({ ...all, ...changed, limit: 1 }, search);
    if (count > 0) looser.push({ ...found, count });
  }
  for (const filter of applied) {
    yield* add({ ...filter, leavesOut: true }, { [filter.name]: undefined });
  }
  const words = [...new Set(filters.query?.split(/\s+/))].slice(0, TRIED.words);
  const occurring = new Set<string>();
  for (const word of words) {
    const like = yield* likeWord(word, all, search);
    if (like === undefined) continue;
    const right = filters.query!.replace(word, () => like);
    const distance = editDistance(fold(word), like);
    if (words.length > 1 && distance > 0 && distance <= MOST_TYPOS) occurring.add(right);
    occurring.add(like);
  }
  for (const word of occurring) {
    const link = linkTo(given, 'query', word);
    const found = { name: 'query' as const, value: word, label: word, leavesOut: false, link };
    yield* add(found, { query: word });
  }
  return looser;
}

function* searchInSteps(filters: SearchFilters, search: SearchIndex): Steps<Matches> {
  yield* search.prepare(filters);
  yield;
  return search.search(filters);
}

/**
 * Returns the word of the first match that has as much of the beginning of a word as occurs. If a
 * beginning occurs, shorter ones do too, so a few searches find the longest.
 */
function* likeWord(
  word: string,
  words: SearchFilters,
  search: SearchIndex,
): Steps<string | undefined> {
  const filters: SearchFilters = { in: ['text', 'title'], ...words, match: 'substring' };
  const letters = [...word].slice(0, TRIED.letters.most);
  let longest: { query: string; first: number } | undefined;
  let [least, most] = [TRIED.letters.least, letters.length];
  while (least <= most) {
    const length = (least + most) >>> 1;
    const query = letters.slice(0, length).join('');
    const found = yield* searchInSteps({ ...filters, query, limit: 1 }, search);
    const [first] = found.positions;
    if (first === undefined) most = length - 1;
    else {
      longest = { query, first };
      least = length + 1;
    }
  }
  if (!longest) return undefined;
  const { query, first } = longest;
  const { title, text } = readReview(search.lines, first);
  const written = [title, text]
    .join(' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}'’]+/u);
  const wanted = fold(query);
  return (
    written.find((one) => fold(one).startsWith(wanted)) ??
    written.find((one) => fold(one).includes(wanted)) ??
    query
  );
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

function labelOf(name: Parameter, value: string, { names }: SearchIndex): string {
  if (!(name in NAME_FILTERS)) return value;
  const index = names.kinds[NAME_FILTERS[name as NameFilter]];
  return index.labelOf(value) ?? index.labelOf(index.resolve(value)[0] ?? '') ?? value;
}

/** Returns the query string of the first page of a search with a parameter changed. */
function linkTo(given: URLSearchParams, name: Parameter, value: string | undefined): string {
  const changed = new URLSearchParams(given);
  changed.delete('cursor');
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return changed.toString();
}
