import { ENGLISH } from '../languages/languages.ts';
import { negatorOf } from './opinions.ts';
import { ruleScore, withoutDenials, type Evidence } from './polarity.ts';
import type { ReadText } from './read-text.ts';
import type { Hit, Range, Scope } from './scope.ts';

/** Returns the number of a feature by its name; -1 if it has none. */
export type RowOf = (name: string) => number;

/** A sparse vector: numbers of features and their values; a number may be repeated. */
export interface Features {
  rows: number[];
  values: number[];
}

/** Not looked up yet. */
const UNKNOWN = -2;

/**
 * The features of a text, target by target. `r:own` is a result of the rules, `w:never again` one or two
 * words in the scope of the target; `w:! again` is negated.
 */
export class TextFeatures {
  readonly #text: ReadText;
  readonly #rowOf: RowOf;
  /** The weights know the words of English only; in other languages the rules and the stars decide. */
  readonly #hasWords: boolean;
  /** Each word as in names of features; `_` for a noun of the taxonomy. */
  readonly #forms: readonly string[];
  /** Words of phrases, whose score already includes negation: `could not be nicer`. */
  readonly #settled = new Set<number>();
  /** For each word, the features of it and of it with the next; looked up on demand. */
  readonly #alone: Int32Array;
  readonly #pairs: Int32Array;

  /** @param masked words of all targets of the text */
  constructor(text: ReadText, masked: readonly Hit[], rowOf: RowOf) {
    this.#text = text;
    this.#rowOf = rowOf;
    this.#hasWords = text.lexicon.language === ENGLISH;
    const { withoutNames: tokens, opinions, lexicon } = text;
    const inOpinion = new Set<number>();
    for (const { at, length } of opinions) {
      for (let word = at; word < at + length; word++) {
        inOpinion.add(word);
        if (length > 1) this.#settled.add(word);
      }
    }
    const inTarget = new Set<number>();
    for (const { at, length } of masked) {
      for (let word = at; word < at + length; word++) inTarget.add(word);
    }
    const forms: string[] = [];
    for (const [at, { lower }] of tokens.entries()) {
      const isPlainTarget =
        inTarget.has(at) && !inOpinion.has(at) && (lexicon.words.get(lower) ?? 0) === 0;
      forms.push(isPlainTarget ? '_' : formOf(lower));
    }
    this.#forms = forms;
    this.#alone = new Int32Array(tokens.length).fill(UNKNOWN);
    this.#pairs = new Int32Array(tokens.length);
  }

  /**
   * Returns the features of a target.
   *
   * @param hits the words of the target, ascending; none if all of the scope is meant
   * @param evidence the opinions of the scope
   */
  of(hits: readonly Hit[], scope: Scope, evidence: Evidence): Features {
    const features: Features = { rows: [], values: [] };
    this.#addRules(features, hits, scope, withoutDenials(evidence));
    let mass = 0;
    for (const { first, last } of scope.ranges) {
      for (let at = first; at <= last; at++) mass += scope.weights[at]! ** 2;
    }
    const length = Math.sqrt(Math.max(6, 3 * mass));
    if (!this.#hasWords) return features;
    for (const range of scope.ranges) this.#addWords(features, scope.weights, range, 3 / length);
    return features;
  }

  #addRules(features: Features, hits: readonly Hit[], { ranges }: Scope, own: Evidence): void {
    const add = (name: string, value: number) => {
      if (value !== 0) push(features, this.#rowOf(`r:${name}`), value);
    };
    const { tokens, text } = this.#text;
    add('own', ruleScore(own) * 2);
    add('good', Math.log1p(own.good));
    add('bad', Math.log1p(own.bad));
    if (hits.length > 0) add('target', 1);
    const words = ranges.reduce((sum, { first, last }) => sum + last + 1 - first, 0);
    add('words', Math.log1p(words) / 3);
    const marks = ranges.map(({ last }) => tokens[last + 1]?.gap ?? text.slice(tokens[last]!.end));
    if (marks.some((mark) => mark.includes('?'))) add('?', 1);
    if (marks.some((mark) => mark.includes('!'))) add('!', 1);
  }

  #addWords(features: Features, weights: Float64Array, { first, last }: Range, unit: number): void {
    for (let at = first; at <= last; at++) {
      const weight = weights[at]!;
      if (weight === 0) continue;
      if (this.#alone[at] === UNKNOWN) this.#lookUp(at);
      push(features, this.#alone[at]!, weight * unit);
      if (at < last) push(features, this.#pairs[at]!, Math.min(weight, weights[at + 1]!) * unit);
    }
  }

  #lookUp(at: number): void {
    const form = this.#forms[at]!;
    const { withoutNames, lexicon } = this.#text;
    const isNegated = negatorOf(withoutNames, at, this.#settled, lexicon.language) < at;
    this.#alone[at] = this.#rowOf(isNegated ? `w:! ${form}` : `w:${form}`);
    const next = this.#forms[at + 1];
    const goesOn = next !== undefined && !this.#text.tokens[at + 1]!.startsSentence;
    this.#pairs[at] = goesOn ? this.#rowOf(`w:${form} ${next}`) : -1;
  }
}

const NUMBER = /^\p{N}/u;

function formOf(lower: string): string {
  return NUMBER.test(lower) ? '#' : lower;
}

function push({ rows, values }: Features, row: number, value: number): void {
  if (row < 0 || value === 0) return;
  rows.push(row);
  values.push(value);
}
