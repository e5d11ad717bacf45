import { tokenize, type Token } from './tokens.ts';

/** Where a phrase stands in a text. */
export interface PhraseMatch<T> {
  value: T;
  /** Index of its first word. */
  at: number;
  /** Number of words. */
  length: number;
}

interface Phrase<T> {
  words: string[];
  value: T;
}

/** Finds many phrases in one pass, by whole words: `drain` never matches in `drainage`. */
export class PhraseMatcher<T> {
  readonly #byFirstWord = new Map<string, Phrase<T>[]>();

  add(phrase: string, value: T): void {
    const words = tokenize(phrase).map((token) => token.lower);
    const [first] = words;
    if (first === undefined) return;
    const phrases = this.#byFirstWord.get(first) ?? [];
    phrases.push({ words, value });
    phrases.sort((a, b) => b.words.length - a.words.length);
    this.#byFirstWord.set(first, phrases);
  }

  /** Every match, also where one lies inside another. */
  *everyMatch(tokens: readonly Token[]): Generator<PhraseMatch<T>> {
    for (let at = 0; at < tokens.length; at++) {
      for (const { words, value } of this.#byFirstWord.get(tokens[at]!.lower) ?? []) {
        if (standsAt(words, tokens, at)) yield { value, at, length: words.length };
      }
    }
  }

  /** Matches from left to right, the longest first and none inside another. */
  *matches(tokens: readonly Token[]): Generator<PhraseMatch<T>> {
    for (let at = 0; at < tokens.length;) {
      let length = 0;
      for (const { words, value } of this.#byFirstWord.get(tokens[at]!.lower) ?? []) {
        if (words.length < length) break;
        if (standsAt(words, tokens, at)) {
          length = words.length;
          yield { value, at, length };
        }
      }
      at += Math.max(1, length);
    }
  }
}

function standsAt(words: readonly string[], tokens: readonly Token[], at: number): boolean {
  for (let offset = 0; offset < words.length; offset++) {
    if (tokens[at + offset]?.lower !== words[offset]) return false;
  }
  return true;
}
