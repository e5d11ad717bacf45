import { readReview } from '../dataset/document.ts';
import type { Labels } from '../dataset/labels.ts';
import type { CountFilters, ReviewGroup } from '../schema/count.ts';
import type { GroupName } from '../schema/groups.ts';
import { NAME_FILTERS, type NameFilter } from './filter-names.ts';
import type { CountedGroup } from './groups.ts';
import type { SearchIndex } from './search-index.ts';
import { fold } from './fold.ts';
import { bestSentence, placesOfString } from './marks.ts';

/**
 * Returns verbatim quotes of a group's newest reviews: what one says about the aspect that is
 * counted or filtered by, else its sentence with most of the words, else its first one.
 *
 * @param words that a quote should have
 */
export function quotes(
  { lines, labels }: Pick<SearchIndex, 'lines' | 'labels'>,
  { newest, about }: CountedGroup,
  most: number,
  words: readonly string[],
): NonNullable<ReviewGroup['examples']> {
  const wanted = words.map(fold);
  const found: NonNullable<ReviewGroup['examples']> = [];
  for (const position of newest) {
    if (found.length === most) break;
    const { id, url, text, date, rating, source, author } = readReview(lines, position);
    if (text === null) continue;
    const quote =
      about?.kind === 'aspect'
        ? quoteAbout(about.ids, text, labels?.read(position))
        : bestSentence(
            text,
            wanted.flatMap((word) => placesOfString(text, word)),
          );
    if (quote !== undefined) {
      found.push({ review_id: id, url, quote, date, rating, source, author });
    }
  }
  return found;
}

/** Returns the words that a quote should have: the query, and all names of what filters name. */
export function wordsOfFilters(
  { names }: Pick<SearchIndex, 'names'>,
  { query, ...filters }: CountFilters,
): string[] {
  const { ids, narrow } = names.resolve(filters).meaning;
  const named = Object.entries(ids).flatMap(([name, ids]) =>
    ids.flatMap((id) => names.namesOf(NAME_FILTERS[name as NameFilter], id)),
  );
  const words = Object.values(narrow).map(({ word }) => word);
  return [...words, ...(query === undefined ? [] : [query]), ...named];
}

export function wordsOfGroup(
  { names }: Pick<SearchIndex, 'names'>,
  groupBy: readonly GroupName[],
  { key }: ReviewGroup,
): string[] {
  return groupBy.flatMap((name, at) => names.namesOf(name, [key].flat()[at]!));
}

function quoteAbout(
  ids: readonly string[],
  text: string,
  labels: Labels | undefined,
): string | undefined {
  const quoted = labels?.aspects.find(({ id, quote }) => quote !== null && ids.includes(id));
  return quoted && text.slice(...quoted.quote!);
}
