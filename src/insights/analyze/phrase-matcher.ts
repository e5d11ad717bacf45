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

/** A node of the trie: the words that may follow, and the values of phrases that end here. */
interface Node<T> {
  children: Map<string, Node<T>>;
  /** The children that are wildcards. */
  gap: Node<T> | undefined;
  number: Node<T> | undefined;
  sum: Node<T> | undefined;
  values: T[];
}

function newNode<T>(): Node<T> {
  return { children: new Map(), gap: undefined, number: undefined, sum: undefined, values: [] };
}

/** Wildcards of a phrase: up to three words of one clause, a number, a sum of money. */
const WILDCARDS = { '…': 'gap', '#': 'number', $: 'sum', '£': 'sum', '€': 'sum' } as const;

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
    const words = wordsOf(phrase, this.#language);
    let node = this.#root;
    for (const word of words) {
      if (isWildcard(word)) {
        node = node[WILDCARDS[word]] ??= newNode();
        continue;
      }
      let child = node.children.get(word);
      if (!child) node.children.set(word, (child = newNode()));
      node = child;
    }
    if (node === this.#root) return;
    node.values.push(value);
  }

  /** Returns every match, also inside others; of matches at one word the longest first. */
  everyMatch(tokens: readonly Token[]): PhraseMatch<T>[] {
    const text = { tokens, language: this.#language };
    const found: PhraseMatch<T>[] = [];
    for (let at = 0; at < tokens.length; at++) this.#addMatchesAt(text, at, found);
    return found;
  }

  /** Returns matches from left to right: only the longest at a word, and none inside another. */
  matches(tokens: readonly Token[]): PhraseMatch<T>[] {
    const text = { tokens, language: this.#language };
    const found: PhraseMatch<T>[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const before = found.length;
      this.#addMatchesAt(text, at, found);
      if (found.length === before) continue;
      const { length } = found[before]!;
      while (found.at(-1)!.length < length) found.pop();
      at += length - 1;
    }
    return found;
  }

  /** Adds the matches that begin at a word, the longest first. */
  #addMatchesAt(text: Words, at: number, found: PhraseMatch<T>[]): void {
    const before = found.length;
    collect(this.#root, text, at, at, found);
    if (found.length - before < 2) return;
    const here = found.splice(before).sort((a, b) => b.length - a.length);
    found.push(...here);
  }
}

/** The words of a text, and the language it is matched in. */
interface Words {
  tokens: readonly Token[];
  language: Language;
}

/** Adds the matches that continue at `next`; a phrase ends with its sentence or clause. */
function collect<T>(
  { children, gap, number, sum }: Node<T>,
  text: Words,
  at: number,
  next: number,
  found: PhraseMatch<T>[],
): void {
  const token = text.tokens[next];
  if (
    token === undefined ||
    (next > at && (token.startsSentence || startsClause(token, text.language)))
  )
    return;
  enter(children.get(token.lower), text, at, next, found);
  if (token.parts) enter(descend(children, token.parts), text, at, next, found);
  if ((number ?? sum) && isNumber(token, text.language)) {
    enter(number, text, at, next, found);
    if (isSum(token)) enter(sum, text, at, next, found);
  }
  if (gap && next > at) collectBehind(gap, text, at, next, found);
}

/** Adds the matches that end with the word at `next` or continue after it. */
function enter<T>(
  node: Node<T> | undefined,
  text: Words,
  at: number,
  next: number,
  found: PhraseMatch<T>[],
): void {
  if (!node) return;
  for (const value of node.values) found.push({ value, at, length: next + 1 - at });
  collect(node, text, at, next + 1, found);
}

/** Adds the matches after a gap that begins at `next`, with the gap as short as possible. */
function collectBehind<T>(
  gap: Node<T>,
  text: Words,
  at: number,
  next: number,
  found: PhraseMatch<T>[],
): void {
  const before = found.length;
  for (let skipped = 0; skipped <= GAP_MAX_WORDS && found.length === before; skipped++) {
    const token = text.tokens[next + skipped];
    if (!token || CLAUSE_MARK.test(token.gap)) return;
    collect(gap, text, at, next + skipped, found);
    if (token.startsSentence || text.language.gapEnds.has(token.lower)) return;
  }
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

/** Tells whether a word behind a mark has something new to tell of: `heat is on, the house is warm`. */
function startsClause({ gap, lower }: Token, language: Language): boolean {
  return (
    gap.length > 1 &&
    CLAUSE_MARK.test(gap) &&
    (language.articles.has(lower) ||
      language.possessors.has(lower) ||
      language.personalPronouns.has(lower))
  );
}

function isWildcard(word: string): word is keyof typeof WILDCARDS {
  return Object.hasOwn(WILDCARDS, word);
}

function wordsOf(phrase: string, language: Language): string[] {
  return phrase
    .split(/\s+/)
    .flatMap((piece) =>
      isWildcard(piece)
        ? [piece]
        : tokenize(piece, language).flatMap(({ lower, parts }) => parts ?? lower),
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
