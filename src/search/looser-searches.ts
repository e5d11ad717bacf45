import { readReview } from '../dataset/document.ts';
import type { SearchFilters } from '../schema/search.ts';
import { editDistance } from './edit-distance.ts';
import { linkTo, type FacetValue, type LinkedFilter } from './filter-links.ts';
import { fold } from './fold.ts';
import type { Pieces } from './pieces.ts';
import type { SearchIndex } from './search-index.ts';

/** A search for less, because all filters together find nothing. */
export interface LooserSearch extends FacetValue {
  /** True if it leaves the filter out; false if it has this value instead. */
  leavesOut: boolean;
}

/** Letters in which a misspelled word differs from the one it is replaced by. */
const MOST_TYPOS = 2;
/** Words of a query that are tried by themselves, and letters of their beginnings. */
const TRIED = { words: 4, letters: { least: 3, most: 12 } };

/**
 * Returns searches that find something where all filters together find nothing: those without one
 * of the filters, and those for a word that begins as one of the query does.
 */
export function* looserSearches(
  applied: readonly LinkedFilter[],
  given: URLSearchParams,
  filters: SearchFilters,
  search: SearchIndex,
): Pieces<LooserSearch[]> {
  const { cursor: _, ...all } = filters;
  const looser: LooserSearch[] = [];
  function* add(found: Omit<LooserSearch, 'count'>, changed: Partial<SearchFilters>): Pieces<void> {
    const { matched: count } = yield* search.searchInPieces({ ...all, ...changed, limit: 1 });
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

/**
 * Returns the word of the first match that has as much of the beginning of a word as occurs. If a
 * beginning occurs, shorter ones do too, so a few searches find the longest.
 */
function* likeWord(
  word: string,
  words: SearchFilters,
  search: SearchIndex,
): Pieces<string | undefined> {
  const filters: SearchFilters = { in: ['text', 'title'], ...words, match: 'substring' };
  const letters = [...word].slice(0, TRIED.letters.most);
  let longest: { query: string; first: number } | undefined;
  let [least, most] = [TRIED.letters.least, letters.length];
  while (least <= most) {
    const length = (least + most) >>> 1;
    const query = letters.slice(0, length).join('');
    const found = yield* search.searchInPieces({ ...filters, query, limit: 1 });
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
