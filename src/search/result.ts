import { datasetMetadata, reviewBytes, type ReviewLines } from '../dataset/document.ts';
import type { CountFilters, CountResult } from '../schema/count.ts';
import type { GroupName } from '../schema/groups.ts';
import type { SearchFilters, SearchResult, ReviewFilters } from '../schema/search.ts';
import { NAME_FILTERS, type NamedKind, type NameFilter } from './filter-names.ts';
import { keptWith } from '../base/kept.ts';
import type { Pieces } from './pieces.ts';
import { addQuotes } from './quotes.ts';
import type { Matches, SearchIndex } from './search-index.ts';
import { briefReviews, flaggedQuotes, flaggedReviews, trustMarks } from './machine-readers.ts';

/** Browsers, which search as well, have no Buffer. */
const utf8 = new TextEncoder();
const [BETWEEN, END] = [utf8.encode(',\n'), utf8.encode('\n]}\n')];

/** Returns the JSON body of a search result; the bytes of reviews are those of reviews.json. */
export function searchAnswer(
  lines: ReviewLines,
  filters: SearchFilters,
  matches: Matches,
  ignored: readonly string[],
): Uint8Array<ArrayBuffer> {
  const { positions } = matches;
  const head = JSON.stringify({
    as_of: asOf(lines),
    ...searchHead(filters, matches, ignored),
    ...trustMarks(flaggedReviews(lines, positions)),
  });
  const reviews =
    filters.detail === 'brief'
      ? briefReviews(lines, positions).map((json) => utf8.encode(json))
      : positions.map((position) => reviewBytes(lines, position));
  const listed = reviews.flatMap((review, at) => (at === 0 ? [review] : [BETWEEN, review]));
  const open = utf8.encode(`${head.slice(0, -1)},"reviews":[${listed.length > 0 ? '\n' : ''}`);
  return joined([open, ...listed, END]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

export function searchHead(
  filters: SearchFilters,
  { matched, positions, ...found }: Matches,
  ignored: readonly string[],
): Omit<SearchResult, 'reviews' | 'as_of'> {
  const { limit, sort: _, cursor: __, detail: ___, facets: ____, ...echoed } = filters;
  return {
    matched,
    returned: positions.length,
    limit,
    filters: echoed,
    ...contradictionsOf(echoed),
    ...found,
    ...(ignored.length > 0 && { ignored_params: [...ignored] }),
  };
}

export function* countBody(
  search: SearchIndex,
  filters: CountFilters,
  ignored: readonly string[],
): Pieces<string> {
  const answer = yield* countAnswer(search, filters, ignored);
  const marks = filters.examples > 0 ? trustMarks(flaggedQuotes(answer)) : {};
  const body: CountResult = { as_of: asOf(search.lines), ...answer, ...marks };
  return `${JSON.stringify(body)}\n`;
}

/** A review has one of each, so no pairs with it are counted. */
const SINGLE: ReadonlySet<string> = new Set<NamedKind>(['source', 'language']);

/** Names the groupings whose kind is filtered by, too: a review may have several values of that kind. */
function pairsOf(groupBy: readonly GroupName[], filters: CountFilters): Pick<CountResult, 'pairs'> {
  const names = Object.keys(NAME_FILTERS) as NameFilter[];
  const filtered = names.filter((name) => filters[name] !== undefined);
  const kinds = new Set<string>(filtered.map((name) => NAME_FILTERS[name]));
  const pairs = groupBy.filter((name) => kinds.has(name) && !SINGLE.has(name));
  return pairs.length > 0 ? { pairs } : {};
}

/** Returns the result of a count without its day. */
export function* countAnswer(
  search: SearchIndex,
  filters: CountFilters,
  ignored: readonly string[],
): Pieces<Omit<CountResult, 'as_of'>> {
  const { group_by = [], examples: _, ...echoed } = filters;
  const { total, groups, omitted, ...understood } = yield* search.countInPieces(filters);
  yield* addQuotes(search, filters, groups);
  return {
    group_by,
    total,
    ...pairsOf(group_by, filters),
    groups: groups.map(({ group }) => group),
    ...(omitted > 0 && { omitted_groups: omitted }),
    filters: echoed,
    ...contradictionsOf(echoed),
    ...understood,
    ...(ignored.length > 0 && { ignored_params: [...ignored] }),
  };
}

/** Returns the day of the newest change of the reviews. */
const asOf = keptWith((lines: ReviewLines) => datasetMetadata(lines).updated_at.slice(0, 10));

/** Filters of which the first may not be beyond the second. */
const BOUNDS = [
  ['since', 'until', 'after'],
  ['min_rating', 'max_rating', 'above'],
  ['min_rating', 'rating', 'above'],
  ['rating', 'max_rating', 'above'],
] as const;

/** Returns the pairs of filters that no review can pass together. */
export function opposedFilters(filters: ReviewFilters) {
  return BOUNDS.filter(([lower, upper]) => {
    const [from, to] = [filters[lower], filters[upper]];
    return from !== undefined && to !== undefined && from > to;
  });
}

/** Names the filters that no review can pass together, if there are any. */
function contradictionsOf(filters: ReviewFilters): { contradictions?: string[] } {
  const contradictions = opposedFilters(filters).map(
    ([lower, upper, beyond]) => `${lower} is ${beyond} ${upper}`,
  );
  return contradictions.length > 0 ? { contradictions } : {};
}
