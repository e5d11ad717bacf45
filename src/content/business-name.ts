import { OVERALL_ASPECT, type Vocabulary } from '../schema/vocabulary.ts';

/**
 * Adds the name of the business to its vocabulary: reviews use it for the business as a whole, and
 * the words of a longer name mention nothing else (`Comfort Inn`). Customers shorten a long name, and
 * begin it with a capital.
 */
export function withBusinessName(vocabulary: Vocabulary, name: string): Vocabulary {
  const words = withoutArticle(name.trim().split(/\s+/));
  const names = [...beginnings(words), words].flatMap(spellings);
  const added = { subjects: names, exclude: words.length > 1 ? names : [] };
  return {
    ...vocabulary,
    aspects: vocabulary.aspects.map((aspect) => {
      const form = aspect.id === OVERALL_ASPECT ? 'subjects' : 'exclude';
      return { ...aspect, [form]: [...new Set([...aspect[form], ...added[form]])] };
    }),
  };
}

/** Drops the article of a name, unless only one word would be left. */
function withoutArticle(words: readonly string[]): readonly string[] {
  const [first, second] = words as [string, string | undefined];
  const isArticle = /^(?:an?|the)$/i.test(first) && isWord(second ?? '');
  return isArticle && words.length > 2 ? words.slice(1) : words;
}

/** Returns the beginnings of two words or more. */
function beginnings(words: readonly string[]): string[][] {
  return words
    .map((_, at) => words.slice(0, at))
    .filter((some) => some.filter(isWord).length > 1 && isWord(some.at(-1)!));
}

function spellings(words: readonly string[]): string[] {
  const joined = words.join(' ');
  const name = joined.charAt(0).toUpperCase() + joined.slice(1);
  return words.includes('&') ? [name, name.replaceAll('&', 'and')] : [name];
}

function isWord(piece: string): boolean {
  return /[\p{L}\p{N}]/u.test(piece);
}
