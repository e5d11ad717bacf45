import type { Features, RowOf } from '../../../../src/insights/analyze/features.ts';
import {
  BIAS,
  type Chances,
  CLASSES,
  PolarityModel,
  UNIT,
} from '../../../../src/insights/analyze/polarity-model.ts';
import { judgeMention, type Mention } from '../sets.ts';
import { fit, type Example } from './regression.ts';

/** One kind of text to train on. */
export interface TrainingSet {
  mentions: readonly Mention[];
  /** Shares of the classes; mentions of a class that is rarer count more. */
  shares: Chances;
  /** Factor of each of its examples. */
  weight: number;
}

/**
 * Kinds of features that are fitted alone, and whose sums are added. Fitted together, the many words,
 * which know the restaurants of the training text, explain so much that nothing is left for the few
 * results of the rules, which hold in every trade.
 */
const EXPERTS = ['r:', 'w:'];
/** Features in fewer mentions are left out. */
const MIN_MENTIONS = 5;
/** The strongest that are kept besides those of the rules: the table stays below 100 KB. */
const MAX_FEATURES = 5000;
/** Penalties of squared weights; low for the rules, whose few features are general. */
const RULE_PENALTY = 0.5;
const PENALTY = 10;

/**
 * Trains a model: the same sets give the same table, byte for byte.
 *
 * @param masked words that no feature may have
 * @returns the table of its weights
 */
export function train(sets: readonly TrainingSet[], masked: ReadonlySet<string>): string {
  const rows = new Map<string, number>();
  const rowOf = (name: string) => {
    if (!rows.has(name)) rows.set(name, rows.size);
    return rows.get(name)!;
  };
  const examples = sets.flatMap((set) => examplesOf(set, rowOf));
  const names = [...rows.keys()];
  const chosen = chooseFeatures(examples, names, masked);
  const biases = [0, 0, 0];
  const lines = EXPERTS.flatMap((kind) => {
    const own = chosen.filter((name) => name.startsWith(kind));
    const weights = fit(
      renumbered(examples, names, own),
      own.map((name) => (isRule(name) ? RULE_PENALTY : PENALTY)),
    );
    const of = (row: number) => [
      ...weights.subarray(row * CLASSES.length, (row + 1) * CLASSES.length),
    ];
    of(own.length).forEach((bias, one) => (biases[one]! += bias));
    return own.map((name, row) => lineOf(name, of(row)));
  });
  return strongest([...lines, lineOf(BIAS, biases)])
    .map(({ name, weights }) => `${[name, ...weights].join('\t')}\n`)
    .join('');
}

function examplesOf({ mentions, shares, weight }: TrainingSet, rowOf: RowOf): Example[] {
  const model = new PolarityModel(`${BIAS}\t0\t0\t0\n`, rowOf);
  const counts = CLASSES.map((one) => mentions.filter(({ gold }) => gold === one).length);
  return mentions.map((mention) => {
    const { features } = judgeMention(mention, model);
    const label = CLASSES.indexOf(mention.gold);
    const share = (shares[label]! * mentions.length) / counts[label]!;
    return { features, label, weight: weight * share };
  });
}

/** Returns the names of the features to train, sorted. */
function chooseFeatures(
  examples: readonly Example[],
  names: readonly string[],
  masked: ReadonlySet<string>,
): string[] {
  const mentions = new Uint32Array(names.length);
  for (const { features } of examples) {
    for (const row of new Set(features.rows)) mentions[row]!++;
  }
  return names
    .filter((name, row) => {
      if (isRule(name)) return true;
      return mentions[row]! >= MIN_MENTIONS && !wordsOf(name).some((word) => masked.has(word));
    })
    .sort();
}

/** Returns the examples with only the chosen features, numbered by their place among these. */
function renumbered(
  examples: readonly Example[],
  names: readonly string[],
  chosen: readonly string[],
): Example[] {
  const numbers = new Map(chosen.map((name, row) => [name, row]));
  return examples.map((example) => {
    const features: Features = { rows: [], values: [] };
    example.features.rows.forEach((row, at) => {
      const number = numbers.get(names[row]!);
      if (number === undefined) return;
      features.rows.push(number);
      features.values.push(example.features.values[at]!);
    });
    return { ...example, features };
  });
}

interface Line {
  name: string;
  weights: readonly number[];
}

function lineOf(name: string, weights: readonly number[]): Line {
  return { name, weights: weights.map((weight) => Math.round(weight / UNIT) || 0) };
}

/** Returns the lines of the strongest features by name, the bias first. */
function strongest(lines: readonly Line[]): Line[] {
  const strength = ({ weights }: Line) => Math.max(...weights) - Math.min(...weights);
  const always = lines.filter(({ name }) => isRule(name) || name === BIAS);
  const others = lines
    .filter((line) => !always.includes(line) && strength(line) > 0)
    .sort((a, b) => strength(b) - strength(a) || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_FEATURES);
  return [...always, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isRule(name: string): boolean {
  return name.startsWith('r:');
}

function wordsOf(name: string): string[] {
  return name.slice(name.indexOf(':') + 1).split(' ');
}
