import { OVERALL_ASPECT, type Vocabulary } from '../schema/vocabulary.ts';

/**
 * Adds the name of the business to its vocabulary: reviews use it for the business as a whole, and
 * the words of a longer name mention nothing else (`Comfort Inn`). Customers shorten a long name.
 */
export function withBusinessName(vocabulary: Vocabulary, name: string): Vocabulary {
  const words = name.trim().split(/\s+/);
  const whole = spellings(words);
  const added = {
    subjects: [...beginnings(words).flatMap(spellings), ...whole],
    exclude: words.length > 1 ? whole : [],
  };
  return {
    ...vocabulary,
    aspects: vocabulary.aspects.map((aspect) => {
      const form = aspect.id === OVERALL_ASPECT ? 'subjects' : 'exclude';
      return { ...aspect, [form]: [...new Set([...aspect[form], ...added[form]])] };
    }),
  };
}

/** Returns the beginnings of two words or more, not counting an article. */
function beginnings(words: readonly string[]): string[][] {
  const least = /^(?:an?|the)$/i.test(words[0]!) ? 3 : 2;
  return words
    .map((_, at) => words.slice(0, at))
    .filter((some) => some.filter(isWord).length >= least && isWord(some.at(-1)!));
}

function spellings(words: readonly string[]): string[] {
  const name = words.join(' ');
  return words.includes('&') ? [name, name.replaceAll('&', 'and')] : [name];
}

function isWord(piece: string): boolean {
  return /[\p{L}\p{N}]/u.test(piece);
}
