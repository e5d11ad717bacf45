import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';
import { tokenize, type Token } from './tokens.ts';

/** An occurrence of a phrase. */
export interface PhraseMatch<T> {
  value: T;
  /** Index of its first word. */
  at: number;
  /** Number of words. */
  length: number;
}

/** A node of the trie: the words and wildcards that may follow, and the values of phrases that end here. */
interface Node<T> {
  children: Map<string, Node<T>>;
  hasWildcards: boolean;
  values: T[];
}

function newNode<T>(): Node<T> {
  return { children: new Map(), hasWildcards: false, values: [] };
}

/** Wildcards of a phrase, which are no words: up to three words of one clause, a number, a sum of money. */
const GAP = '…';
const NUMBER = '#';
const SUM = '$';
const WILDCARDS: Readonly<Record<string, string>> = {
  [GAP]: GAP,
  [NUMBER]: NUMBER,
  [SUM]: SUM,
  '£': SUM,
  '€': SUM,
};

const GAP_MAX_WORDS = 3;
const CLAUSE_MARK = /[,;:()–—]/;

const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;

/**
 * Finds many phrases in one pass, by words of one sentence: `drain` never matches `drainage`. A
 * hyphen equals a space: `tune up` matches `tune-up`. In a phrase `…` matches up to three words,
 * `#` a number and `$`, `£` or `€` a sum of money: `install … furnace` matches `install a new furnace`. A
 * phrase cannot begin with `…`.
 */
export class PhraseMatcher<T> {
  readonly #root: Node<T> = newNode();
  readonly #language: Language;

  /** @param language of the phrases and the texts */
  constructor(language: Language = ENGLISH) {
    this.#language = language;
  }

  add(phrase: string, value: T): void {
    let node = this.#root;
    for (const word of wordsOf(phrase, this.#language)) {
      if (Object.hasOwn(WILDCARDS, word)) node.hasWildcards = true;
      let child = node.children.get(word);
      if (!child) node.children.set(word, (child = newNode()));
      node = child;
    }
    if (node !== this.#root) node.values.push(value);
  }

  /** Returns every match, also inside others; of matches at one word the longest first. */
  everyMatch(tokens: readonly Token[]): PhraseMatch<T>[] {
    const found: PhraseMatch<T>[] = [];
    const { children, hasWildcards } = this.#root;
    for (let at = 0; at < tokens.length; at++) {
      const { lower, parts } = tokens[at]!;
      if (!hasWildcards && !parts && !children.has(lower)) continue;
      const before = found.length;
      this.#follow(this.#root, tokens, at, at, found);
      if (found.length - before < 2) continue;
      found.push(...found.splice(before).sort((a, b) => b.length - a.length));
    }
    return found;
  }

  /** Returns matches from left to right: only the longest at a word, and none inside another. */
  matches(tokens: readonly Token[]): PhraseMatch<T>[] {
    return outermost(this.everyMatch(tokens));
  }

  /** Adds the matches that continue at `next`; a phrase ends with its sentence. */
  #follow(
    { children, hasWildcards }: Node<T>,
    tokens: readonly Token[],
    at: number,
    next: number,
    found: PhraseMatch<T>[],
  ): void {
    const token = tokens[next];
    if (!token || (next > at && token.startsSentence)) return;
    this.#enter(children.get(token.lower), tokens, at, next, found);
    if (token.parts) this.#enter(descend(children, token.parts), tokens, at, next, found);
    if (!hasWildcards) return;
    if (isNumber(token, this.#language)) {
      this.#enter(children.get(NUMBER), tokens, at, next, found);
      if (isSum(token)) this.#enter(children.get(SUM), tokens, at, next, found);
    }
    const gap = children.get(GAP);
    if (gap && next > at) this.#followGap(gap, tokens, at, next, found);
  }

  /** Adds the matches that end with the word at `next` or continue after it. */
  #enter(
    node: Node<T> | undefined,
    tokens: readonly Token[],
    at: number,
    next: number,
    found: PhraseMatch<T>[],
  ): void {
    if (!node) return;
    for (const value of node.values) found.push({ value, at, length: next + 1 - at });
    this.#follow(node, tokens, at, next + 1, found);
  }

  /** Adds the matches after a gap that begins at `next`, with the gap as short as possible. */
  #followGap(
    gap: Node<T>,
    tokens: readonly Token[],
    at: number,
    next: number,
    found: PhraseMatch<T>[],
  ): void {
    const before = found.length;
    for (let skipped = 0; skipped <= GAP_MAX_WORDS && found.length === before; skipped++) {
      const token = tokens[next + skipped];
      if (!token || CLAUSE_MARK.test(token.gap)) return;
      this.#follow(gap, tokens, at, next + skipped, found);
      if (token.startsSentence || this.#language.gapEnds.has(token.lower)) return;
    }
  }
}

/** Returns the longest of the matches at each word, without those inside another. */
export function outermost<T extends Pick<PhraseMatch<unknown>, 'at' | 'length'>>(
  matches: readonly T[],
): T[] {
  let longest = { at: 0, length: 0 };
  return matches.filter((match) => {
    if (match.at >= longest.at + longest.length) longest = match;
    return match.at === longest.at && match.length === longest.length;
  });
}

function descend<T>(
  children: ReadonlyMap<string, Node<T>>,
  parts: readonly string[],
): Node<T> | undefined {
  let node: Node<T> | undefined;
  let among = children;
  for (const part of parts) {
    node = among.get(part);
    if (!node) return undefined;
    among = node.children;
  }
  return node;
}

function wordsOf(phrase: string, language: Language): string[] {
  return phrase
    .split(/\s+/)
    .flatMap(
      (piece) =>
        WILDCARDS[piece] ?? tokenize(piece, language).flatMap(({ lower, parts }) => parts ?? lower),
    );
}

function isNumber({ lower }: Token, language: Language): boolean {
  const first = lower.charCodeAt(0);
  return (first >= DIGIT_ZERO && first <= DIGIT_NINE) || language.numbers.has(lower);
}

/** @param token a number */
function isSum({ gap }: Token): boolean {
  return /[$£€]$/.test(gap);
}
