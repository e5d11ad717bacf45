import { readReview } from '../dataset/document.ts';
import { QUOTED_GROUPS, type CountFilters, type ReviewGroup } from '../schema/count.ts';
import type { ReviewFilters } from '../schema/search.ts';
import { NAME_FILTERS, type NameFilter } from './filter-names.ts';
import { fold } from './tokens.ts';
import type { CountedGroup } from './groups.ts';
import { bestSentence, placesOfString, type TextRange } from './marks.ts';
import type { Pieces } from './pieces.ts';
import type { ReadQuery } from './read-query.ts';
import type { SearchIndex } from './search-index.ts';
import type { Asked, Found } from './word-search.ts';

/** Returns a function that returns the ranges of a text that match the words of a search. */
export function* markerOf(
  { query, match, in: places, ...filters }: ReviewFilters,
  { names, words }: SearchIndex,
): Pieces<(text: string | null) => TextRange[]> {
  const { narrow } = names.resolve(filters).meaning;
  const terms = Object.values(narrow).map(({ word }): Asked => ({ query: word, match: 'term' }));
  const asked = query === undefined ? terms : [...terms, { query, match, in: places }];
  const read: [ReadQuery, Found][] = [];
  for (const each of asked) {
    read.push([yield* words.read(each), yield* words.findInPieces(each)]);
  }
  return (text) =>
    text === null ? [] : read.flatMap(([reading, found]) => words.marksIn(text, reading, found));
}

/** Adds quotes to the first groups of a count. */
export function* addQuotes(
  search: SearchIndex,
  { group_by: groupBy = [], examples, ...filters }: CountFilters,
  groups: readonly CountedGroup[],
): Pieces<void> {
  if (examples === 0) return;
  const marksIn = yield* markerOf(filters, search);
  const { ids } = search.names.resolve(filters).meaning;
  const asked = Object.entries(ids).flatMap(([name, ids]) =>
    ids.flatMap((id) => search.names.namesOf(NAME_FILTERS[name as NameFilter], id)),
  );
  for (const counted of groups.slice(0, QUOTED_GROUPS)) {
    const key = [counted.group.key].flat();
    const own = groupBy.flatMap((name, at) => search.names.namesOf(name, key[at]!));
    const names = [...asked, ...own].map(fold);
    const marked = (text: string) => [
      ...marksIn(text),
      ...names.flatMap((name) => placesOfString(text, name)),
    ];
    counted.group.examples = quotesOf(search, counted, examples, marked);
    yield;
  }
}

/**
 * Returns verbatim quotes of a group's newest reviews: what one says about the aspect that is
 * counted or filtered by, else its sentence with most of what the search looks for, else its first one.
 */
function quotesOf(
  { lines, labels }: SearchIndex,
  { newest, about }: CountedGroup,
  limit: number,
  marked: (text: string) => TextRange[],
): NonNullable<ReviewGroup['examples']> {
  const aspects = about?.kind === 'aspect' ? about.ids : undefined;
  const found: NonNullable<ReviewGroup['examples']> = [];
  for (const position of newest) {
    if (found.length === limit) break;
    const { id, url, text, date, rating, source, author } = readReview(lines, position);
    if (text === null) continue;
    const labeled = aspects && labels?.read(position).aspects;
    const range = labeled?.find(({ id, quote }) => quote && aspects!.includes(id))?.quote;
    if (aspects && !range) continue;
    const quote = range ? text.slice(...range) : bestSentence(text, marked(text));
    found.push({ review_id: id, url, quote, date, rating, source, author });
  }
  return found;
}
