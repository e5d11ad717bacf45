import table from './words.json' with { type: 'json' };

/** Words that names and values of columns are made of, by idea and language, as {@link wordsOf} writes them. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = table;

/**
 * Makes a pattern of some of the words: `{review} id` is the word of any language for a review, and "id".
 *
 * @param isPart true for words anywhere in a name
 */
export function pattern(template: string, isPart = false): RegExp {
  const filled = template.replaceAll(/\{([a-z ]+)\}/g, (_, idea: string) => {
    return `(?:${plain(Object.values(WORDS[idea]!).join('|'))})`;
  });
  const [before, after] = isPart
    ? [String.raw`(?<![\p{L}\d])`, String.raw`(?![\p{L}\d])`]
    : ['^', '$'];
  return new RegExp(`${before}(?:${filled})${after}`, 'u');
}

/** Returns a name as plain lower-case words, without accents: `Reseña.fecha (UTC)` is `resena fecha`. */
export function wordsOf(name: string): string {
  const spaced = name.replaceAll(/\([^)]*\)/g, '').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return plain(spaced.toLowerCase())
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Letters each of which may be a word or a syllable, as a class of a pattern. */
export const WHOLE_WORDS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;

function plain(words: string): string {
  const letters = words.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return letters
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd');
}
