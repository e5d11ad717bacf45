import { ENGLISH } from '../languages/languages.ts';
import { ruleScore, type Evidence } from './polarity.ts';
import type { ReadText } from './read-text.ts';
import type { Scope } from './scope.ts';
import { addWords, type Hit, type Range } from './spans.ts';

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
 * The features of a text, target by target. `r:own` is a result of the rules, `w:again` a word in the scope
 * of the target.
 */
export class TextFeatures {
  readonly #text: ReadText;
  readonly #rowOf: RowOf;
  /** The weights know the words of English only; in other languages the rules and the stars decide. */
  readonly #hasWords: boolean;
  /** Each word as in names of features; `_` for a noun of the taxonomy. */
  readonly #forms: readonly string[];
  /** For each word, its feature; looked up on demand. */
  readonly #numbers: Int32Array;

  /** @param masked words of all targets of the text */
  constructor(text: ReadText, masked: readonly Hit[], rowOf: RowOf) {
    this.#text = text;
    this.#rowOf = rowOf;
    this.#hasWords = text.lexicon.language === ENGLISH;
    const { withoutNames: tokens, opinions, unreal, lexicon } = text;
    const inOpinion = new Set<number>();
    // The rules know that a word is negated or was not so; the word alone does not.
    const turned = new Set(unreal);
    for (const opinion of opinions) {
      if (opinion.from < opinion.at) turned.add(opinion.at);
      addWords(inOpinion, opinion);
    }
    const inTarget = new Set<number>();
    for (const hit of masked) addWords(inTarget, hit);
    const forms: string[] = [];
    for (const [at, { lower }] of tokens.entries()) {
      const isPlainTarget =
        inTarget.has(at) && !inOpinion.has(at) && (lexicon.words.get(lower) ?? 0) === 0;
      forms.push(isPlainTarget || turned.has(at) ? '_' : formOf(lower));
    }
    this.#forms = forms;
    this.#numbers = new Int32Array(tokens.length).fill(UNKNOWN);
  }

  /**
   * Returns the features of a target.
   *
   * @param hits the words of the target, ascending; none if all of the scope is meant
   * @param evidence the opinions of the scope
   */
  of(hits: readonly Hit[], scope: Scope, evidence: Evidence): Features {
    const features: Features = { rows: [], values: [] };
    this.#addRules(features, hits, scope, evidence);
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
      if (this.#numbers[at] === UNKNOWN) this.#numbers[at] = this.#rowOf(`w:${this.#forms[at]!}`);
      push(features, this.#numbers[at]!, weight * unit);
    }
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
