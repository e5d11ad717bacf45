import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';
import type { Hit } from './spans.ts';
import { tokenize, type Token } from './tokens.ts';

/** An occurrence of a phrase. */
export interface PhraseMatch<T> extends Hit {
  value: T;
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
 * hyphen equals a space, `tune up` matches `tune-up`, and a short form its words: `did not`, `didn't`. In a phrase `…` matches up to three words,
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
    const walk = new Walk<T>(tokens, this.#language);
    for (let at = 0; at < tokens.length; at++) walk.from(this.#root, at);
    return walk.found;
  }

  /** Returns matches from left to right: only the longest at a word, and none inside another. */
  matches(tokens: readonly Token[]): PhraseMatch<T>[] {
    return outermost(this.everyMatch(tokens));
  }
}

/** A walk down the trie along the words of a text. */
class Walk<T> {
  readonly found: PhraseMatch<T>[] = [];
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  /** The first word of the matches. */
  #at = 0;

  constructor(tokens: readonly Token[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
  }

  /** Finds the matches at a word, the longest first. */
  from(root: Node<T>, at: number): void {
    const before = this.found.length;
    this.#at = at;
    this.#follow(root, at);
    if (this.found.length - before < 2) return;
    this.found.push(...this.found.splice(before).sort((a, b) => b.length - a.length));
  }

  /** Finds the matches that continue at `next`; a phrase ends with its sentence. */
  #follow(node: Node<T>, next: number): void {
    const { children, hasWildcards } = node;
    const token = this.#tokens[next];
    if (!token || (next > this.#at && token.startsSentence)) return;
    this.#enter(children.get(token.lower), next);
    if (token.parts) this.#enter(descend(node, token.parts), next);
    if (!hasWildcards) return;
    if (isNumber(token, this.#language)) {
      this.#enter(children.get(NUMBER), next);
      if (isSum(token)) this.#enter(children.get(SUM), next);
    }
    const gap = children.get(GAP);
    if (gap && next > this.#at) this.#followGap(gap, next);
  }

  /** Finds the matches that end with the word at `next` or continue after it. */
  #enter(node: Node<T> | undefined, next: number): void {
    if (!node) return;
    const at = this.#at;
    for (const value of node.values) this.found.push({ value, at, length: next + 1 - at });
    this.#follow(node, next + 1);
  }

  /** Finds the matches after a gap that begins at `next`, with the gap as short as possible. */
  #followGap(gap: Node<T>, next: number): void {
    const before = this.found.length;
    for (let end = next; end <= next + GAP_MAX_WORDS && this.found.length === before; end++) {
      const token = this.#tokens[end];
      if (!token || CLAUSE_MARK.test(token.gap)) return;
      this.#follow(gap, end);
      if (token.startsSentence || this.#language.gapEnds.has(token.lower)) return;
    }
  }
}

/** Returns the longest of the matches at each word, without those inside another. */
export function outermost<T extends Hit>(matches: readonly T[]): T[] {
  let longest = { at: 0, length: 0 };
  return matches.filter((match) => {
    if (match.at >= longest.at + longest.length) longest = match;
    return match.at === longest.at && match.length === longest.length;
  });
}

function descend<T>(root: Node<T>, parts: readonly string[]): Node<T> | undefined {
  let node: Node<T> | undefined = root;
  for (const part of parts) node = node?.children.get(part);
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
