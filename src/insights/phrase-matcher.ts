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

/** Stands for up to three words of one clause. */
const GAP = '…';
const GAP_MAX_WORDS = 3;
/** What a gap does not reach over: behind these something else is spoken of. */
const GAP_ENDS = new Set('and at but by for from in of on or to with'.split(' '));
const CLAUSE_MARK = /[,;:()–—]/;

/**
 * Finds many phrases in one pass, by whole words: `drain` never matches in `drainage`. A hyphen is
 * worth a space: `tune up` and `tune-up` are one phrase. In a phrase `…` stands for up to three
 * words: `install … furnace` matches `install a new furnace`.
 */
export class PhraseMatcher<T> {
  readonly #byFirstWord = new Map<string, Phrase<T>[]>();

  add(phrase: string, value: T): void {
    const words = phrase
      .split(GAP)
      .map((part) => tokenize(part).flatMap(({ lower, parts }) => parts ?? lower))
      .filter((part) => part.length > 0)
      .flatMap((part, index) => (index > 0 ? [GAP, ...part] : part));
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
      const phrases = this.#startingLike(tokens[at]!);
      if (phrases === undefined) continue;
      for (const { words, value } of phrases) {
        const length = lengthAt(words, tokens, at);
        if (length > 0) yield { value, at, length };
      }
    }
  }

  /** Matches from left to right, the longest first and none inside another. */
  *matches(tokens: readonly Token[]): Generator<PhraseMatch<T>> {
    let end = 0;
    for (let at = 0; at < tokens.length; at = end) {
      end = at + 1;
      const phrases = this.#startingLike(tokens[at]!);
      if (phrases === undefined) continue;
      let longest = 0;
      for (const { words, value } of phrases) {
        if (words.length < longest) break;
        const length = lengthAt(words, tokens, at);
        if (length === 0) continue;
        longest = words.length;
        end = Math.max(end, at + length);
        yield { value, at, length };
      }
    }
  }

  #startingLike({ lower, parts }: Token): readonly Phrase<T>[] | undefined {
    return this.#byFirstWord.get(parts === undefined ? lower : parts[0]!);
  }
}

/** How many tokens the words take up at a place; 0 where something else stands. */
function lengthAt(words: readonly string[], tokens: readonly Token[], at: number): number {
  let next = at;
  for (let word = 0; word < words.length;) {
    if (words[word] === GAP) {
      const rest = lengthBehindGap(words.slice(word + 1), tokens, next);
      return rest === 0 ? 0 : next - at + rest;
    }
    const token = tokens[next++];
    if (token?.parts === undefined) {
      if (token?.lower !== words[word++]) return 0;
    } else {
      for (const part of token.parts) if (part !== words[word++]) return 0;
    }
  }
  return next - at;
}

function lengthBehindGap(words: readonly string[], tokens: readonly Token[], at: number): number {
  for (let skipped = 0; skipped <= GAP_MAX_WORDS; skipped++) {
    const token = tokens[at + skipped];
    if (!token || token.startsSentence || CLAUSE_MARK.test(token.gap)) return 0;
    const length = lengthAt(words, tokens, at + skipped);
    if (length > 0) return skipped + length;
    if (GAP_ENDS.has(token.lower)) return 0;
  }
  return 0;
}
