import { ENGLISH } from '../languages/languages.ts';
import { opinionsBetween } from './opinions.ts';
import { evidenceOf, ruleScore, withoutDenials, type Evidence } from './polarity.ts';
import type { ReadText } from './read-text.ts';
import type { Hit, Scope } from './scope.ts';

/**
 * A word of a feature's name; the words from the root make the name. A model knows some names, and
 * training collects all.
 */
export interface FeatureNode {
  /** The number of the feature that ends here; -1 if none does. */
  readonly row: number;
  next(word: string): FeatureNode | undefined;
}

/** The weights know the words of English only; in other languages the rules and the stars decide. */
const NO_NAME: FeatureNode = { row: -1, next: () => undefined };

/** The names of features by kind. */
export interface FeatureNames {
  /** Results of the rules: `own`, `both`. */
  rules: FeatureNode;
  /** Words in the target's scope: `never again`; `! again` is negated. */
  words: FeatureNode;
}

/** A sparse vector: numbers of features and their values; a number may be repeated. */
export interface Features {
  rows: number[];
  values: number[];
}

/** A negation applies to this many words. */
const NEGATION_SCOPE = 5;
const MAX_WORDS = 3;
/** Not looked up yet. */
const UNKNOWN = -2;
/** The features of a text, target by target. */
export class TextFeatures {
  readonly #text: ReadText;
  readonly #names: FeatureNames;
  /** Each word as in names of features; `_` for a noun of the taxonomy. */
  readonly #forms: readonly string[];
  readonly #negated: readonly boolean[];
  /** For each word, the features of the one, two and three words from it; looked up on demand. */
  readonly #sequences: Int32Array;

  /** @param masked words of all targets of the text */
  constructor(text: ReadText, masked: readonly Hit[], names: FeatureNames) {
    this.#text = text;
    const isTrained = text.lexicon.language === ENGLISH;
    this.#names = isTrained ? names : { rules: names.rules, words: NO_NAME };
    const { withoutNames: tokens, opinions, lexicon } = text;
    const { language } = lexicon;
    const inOpinion = new Set<number>();
    /** Words of phrases, whose score already includes negation: `could not be nicer`. */
    const settled = new Set<number>();
    for (const { at, length } of opinions) {
      for (let word = at; word < at + length; word++) {
        inOpinion.add(word);
        if (length > 1) settled.add(word);
      }
    }
    const inTarget = new Set<number>();
    for (const { at, length } of masked) {
      for (let word = at; word < at + length; word++) inTarget.add(word);
    }
    let negation = 0;
    const negated: boolean[] = [];
    const forms: string[] = [];
    for (const [at, { lower, startsSentence, gap }] of tokens.entries()) {
      const negates = language.isNegator(lower) && !settled.has(at);
      if (startsSentence || language.contrasts.has(lower) || (gap !== ' ' && CLAUSE_MARK.test(gap)))
        negation = 0;
      negated.push(negation > 0);
      negation = negates ? NEGATION_SCOPE : Math.max(0, negation - 1);
      const isPlainTarget =
        inTarget.has(at) && !inOpinion.has(at) && (lexicon.words.get(lower) ?? 0) === 0;
      forms.push(isPlainTarget ? '_' : formOf(lower));
    }
    this.#forms = forms;
    this.#negated = negated;
    this.#sequences = new Int32Array(tokens.length * MAX_WORDS).fill(UNKNOWN);
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
    for (const { first, last } of scope.ranges) {
      this.#addWords(features, scope.weights, first, last, 3 / length);
    }
    return features;
  }

  #addRules(features: Features, hits: readonly Hit[], scope: Scope, own: Evidence): void {
    const { rules } = this.#names;
    const add = (name: string, value: number) => {
      if (value !== 0) push(features, rules.next(name)?.row ?? -1, value);
    };
    const { opinions, tokens, text } = this.#text;
    const around = scope.ranges.flatMap(({ first, last }) =>
      opinionsBetween(opinions, first, last),
    );
    const near = withoutDenials(evidenceOf(around));
    const score = ruleScore(own);
    const side = score > 0.1 ? '+' : score < -0.1 ? '-' : '0';
    add('own', score * 2);
    add('near', ruleScore(near));
    add('strength', Math.abs(score) * 2);
    add(side, 1);
    if (Math.abs(score) > 0.6) add(side + side, 1);
    add('good', Math.log1p(own.good));
    add('bad', Math.log1p(own.bad));
    if (own.good + own.bad === 0) add('none', 1);
    if (own.good > 0 && own.bad > 0) add('both', 1);
    if (near.good + near.bad === 0) add('silent', 1);
    if (hits.length > 0) add('target', 1);
    const words = scope.ranges.reduce((sum, { first, last }) => sum + last + 1 - first, 0);
    add('words', Math.log1p(words) / 3);
    const marks = scope.ranges.map(
      ({ last }) => tokens[last + 1]?.gap ?? text.slice(tokens[last]!.end),
    );
    if (marks.some((mark) => mark.includes('?'))) add('?', 1);
    if (marks.some((mark) => mark.includes('!'))) add('!', 1);
  }

  #addWords(
    features: Features,
    weights: Float64Array,
    first: number,
    last: number,
    unit: number,
  ): void {
    for (let at = first; at <= last; at++) {
      let weight = weights[at]!;
      const known = this.#sequencesAt(at);
      for (let word = 0; word < MAX_WORDS && at + word <= last; word++) {
        weight = Math.min(weight, weights[at + word]!);
        const row = this.#sequences[known + word]!;
        if (weight > 0) push(features, row, weight * unit);
      }
    }
  }

  /** Returns where the features that begin with a word are: of one word, two and three. */
  #sequencesAt(at: number): number {
    const place = at * MAX_WORDS;
    if (this.#sequences[place] !== UNKNOWN) return place;
    const { words } = this.#names;
    const form = this.#forms[at]!;
    let node = words.next(form);
    const alone = this.#negated[at] ? words.next('!')?.next(form) : node;
    this.#sequences[place] = alone?.row ?? -1;
    for (let word = 1; word < MAX_WORDS; word++) {
      const token = this.#text.tokens[at + word];
      node = token?.startsSentence === false ? node?.next(this.#forms[at + word]!) : undefined;
      this.#sequences[place + word] = node?.row ?? -1;
    }
    return place;
  }
}

const CLAUSE_MARK = /[,;:()]/;
const NUMBER = /^\p{N}/u;

function formOf(lower: string): string {
  return NUMBER.test(lower) ? '#' : lower;
}

function push({ rows, values }: Features, row: number, value: number): void {
  if (row < 0) return;
  rows.push(row);
  values.push(value);
}
