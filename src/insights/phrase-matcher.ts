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

/**
 * Finds many phrases in one pass, by whole words: `drain` never matches in `drainage`. A hyphen is
 * worth a space: `tune up` and `tune-up` are one phrase.
 */
export class PhraseMatcher<T> {
  readonly #byFirstWord = new Map<string, Phrase<T>[]>();

  add(phrase: string, value: T): void {
    const words = tokenize(phrase).flatMap(({ lower, parts }) => parts ?? lower);
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
      for (const { words, value } of this.#startingLike(tokens[at]!)) {
        const length = lengthAt(words, tokens, at);
        if (length > 0) yield { value, at, length };
      }
    }
  }

  /** Matches from left to right, the longest first and none inside another. */
  *matches(tokens: readonly Token[]): Generator<PhraseMatch<T>> {
    for (let at = 0; at < tokens.length;) {
      let longest = 0;
      let end = at + 1;
      for (const { words, value } of this.#startingLike(tokens[at]!)) {
        if (words.length < longest) break;
        const length = lengthAt(words, tokens, at);
        if (length === 0) continue;
        longest = words.length;
        end = at + length;
        yield { value, at, length };
      }
      at = end;
    }
  }

  #startingLike({ lower, parts }: Token): readonly Phrase<T>[] {
    return this.#byFirstWord.get(parts?.[0] ?? lower) ?? [];
  }
}

/** How many tokens the words take up at a place; 0 where something else stands. */
function lengthAt(words: readonly string[], tokens: readonly Token[], at: number): number {
  let next = at;
  for (let word = 0; word < words.length; next++) {
    const token = tokens[next];
    if (token?.parts === undefined) {
      if (token?.lower !== words[word++]) return 0;
    } else {
      for (const part of token.parts) if (part !== words[word++]) return 0;
    }
  }
  return next - at;
}
