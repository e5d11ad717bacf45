import { lastDayOf } from '../base/days.ts';
import type { SearchFilters } from '../schema/search.ts';
import type { SearchIndex } from './search-index.ts';
import { foldWord } from './tokens.ts';

type Asked = Pick<SearchFilters, 'rating' | 'since' | 'until' | 'language'>;

/**
 * Returns the filters that a question in plain words has besides its subject, and the rest of its words:
 * "noise five stars 2022" is noise, with rating, since and until; "reviews in May 2022" has no subject. Nothing is
 * taken from quotation marks, nor if nothing at all would be left.
 */
export function askedFilters(query: string, search: SearchIndex): { filters: Asked; rest: string } {
  const known = search.words.language.filters;
  const parts = query.match(/"[^"]*"?|[^\s"]+/g) ?? [];
  const words = parts.map((part) =>
    foldWord(part.replaceAll(/^[^\p{L}\p{N}"]+|[^\p{L}\p{N}"]+$/gu, '')),
  );
  const [last, first] = [0, search.lines.count - 1].map((at) =>
    String(search.columns.days[at] ?? '').slice(0, 4),
  ) as [string, string];
  const filters: Asked = {};
  const taken = new Set<number>();
  for (const [at, word] of words.entries()) {
    const [number = '', joined] = /^([1-5])-?(.+)$/.exec(word)?.slice(1) ?? [words[at - 1]];
    if (known.stars.has(joined ?? word)) {
      const named = known.numbers.findIndex((each) => each.has(number)) + 1;
      const rating = /^[1-5]$/.test(number) ? Number(number) : named;
      if (rating > 0) filters.rating = rating;
      if (rating > 0) for (const each of joined ? [at] : [at - 1, at]) taken.add(each);
    } else if (/^(?:19|20)\d\d$/.test(word) && word >= first && word <= last) {
      // March 2026, marzo de 2026
      const near = known.small.has(words[at - 1] ?? '') ? at - 2 : at - 1;
      const month = known.months().get(words[near] ?? '');
      const start = month === undefined ? at : near;
      const before = words[start - 1] ?? '';
      const [from, to] = [month ?? 1, month ?? 12].map(
        (number) => `${word}-${String(number).padStart(2, '0')}`,
      ) as [string, string];
      if (!known.until.has(before)) filters.since = `${from}-01`;
      if (!known.since.has(before)) filters.until = lastDayOf(to);
      for (let place = start; place <= at; place++) taken.add(place);
      if (known.until.has(before) || known.since.has(before) || known.small.has(before))
        taken.add(start - 1);
    } else if (word.length > 3 && isLanguage(word, search)) {
      filters.language = word;
      taken.add(at);
    }
  }
  const left = words.filter((word, at) => !taken.has(at) && word !== '' && !known.small.has(word));
  if (taken.size > 0 && left.length > 0 && left.every((word) => known.asking.has(word))) {
    return { filters, rest: '' };
  }
  const rest = parts.filter((_, at) => !taken.has(at)).join(' ');
  const isAlone = filters.language !== undefined && taken.size === words.length;
  return left.length > 0 || isAlone ? { filters, rest } : { filters: {}, rest: query };
}

/** Tells whether a word names a language of reviews, and nothing in them. */
function isLanguage(word: string, { names, words }: SearchIndex): boolean {
  return (
    names.kinds.language.resolve(word).length > 0 &&
    words.find({ query: word, match: 'words' }).length === 0
  );
}
