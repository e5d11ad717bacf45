import { editDistance } from './edit-distance.ts';
import { singular } from './tokens.ts';

/** Words by which clients call an argument, besides those of its own name. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  rating: 'star score exact equal eq',
  min_rating: 'star score minimum least gte gt above over greater',
  max_rating: 'star score maximum most lte lt below under less',
  since: 'from after start begin beginning date day created published posted gte gt newer',
  until: 'to before till end ending date day created published posted lte lt older',
  query: 'q keyword search text term phrase word contain containing substring question',
  match: 'matching',
  in: 'field place where within',
  sentiment: 'polarity mood opinion',
  mentions_technician: 'staff employee person people tech',
  mentions_service: 'product',
  mentions_problem: 'issue',
  mentions_area: 'location city town region',
  topic: 'tag category subject',
  source: 'platform site',
  language: 'lang locale',
  has_reply: 'replied answer answered response responded',
  has_text: 'comment worded',
  sort: 'order sorting ordering direction asc desc',
  cursor: 'page next offset skip start',
  limit: 'max maximum count size page per num top k first result take',
  detail: 'verbose brief',
  facets: 'group aggregate aggregation',
  group_by: 'grouping facet aggregate aggregation dimension',
  examples: 'quote sample',
  after: 'seq sequence cursor',
  kind: 'category',
};

/** Words that say nothing of what an argument is. */
const PLAIN = new Set(
  'arg args argument by code filter has id in input is level mention mentioned mode name number of only option param parameter review string the time token type value with'.split(
    ' ',
  ),
);

/**
 * Returns a function that returns the known name that an unknown one resembles: all its words are of
 * known names, or stand for them, or have a typo. It returns undefined if there is none, as for names
 * that hosts add for themselves.
 */
export function nearestNameOf(names: readonly string[]): (unknown: string) => string | undefined {
  const known = names.map((name) => {
    const own = wordsOf(name);
    return { name, own, other: new Set(OTHER_WORDS[name]?.split(' ')), joined: own.join('') };
  });
  return (unknown) => {
    const all = wordsOf(unknown);
    const joined = all.join('');
    const same = known.find((each) => joined === each.joined || isTypo(joined, each.joined));
    if (same) return same.name;
    const words = all.filter((word) => !PLAIN.has(word)).slice(0, MAX_WORDS);
    const worths = known.map((each) => words.map((word) => worthOf(word, each)));
    const isKnown = words.every((_, at) => worths.some((worth) => worth[at]! > 0));
    if (words.length === 0 || !isKnown) return undefined;
    const sums = worths.map((worth) => worth.reduce((sum, each) => sum + each, 0));
    return names[sums.indexOf(Math.max(...sums))];
  };
}

/** More than any name has that means a parameter. */
const MAX_WORDS = 4;

interface Known {
  name: string;
  own: readonly string[];
  other: ReadonlySet<string>;
}

/** Returns most for a word of the name itself, less for one that stands for it, 0 for any other. */
function worthOf(word: string, { name, own, other }: Known): number {
  // A word of `has_text` alone is hardly a question of yes or no.
  if (own.some((each) => each === word || isTypo(word, each)))
    return name.startsWith('has_') ? 1 : 1.1;
  return other.has(word) ? 1 : 0;
}

/** `minStars`, `MIN_STARS`, `filter[min-stars]` → min, star. */
function wordsOf(name: string): string[] {
  const spaced = name.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').toLowerCase();
  return (spaced.match(/\p{L}+/gu) ?? []).map(singular);
}

/** Short words have others one letter away, and nobody mistypes the first letter. */
function isTypo(word: string, name: string): boolean {
  if (name.length < 5 || Math.abs(word.length - name.length) > 1) return false;
  return word[0] === name[0] && editDistance(word, name) === 1;
}
