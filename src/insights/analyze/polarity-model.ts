import type { Sentiment } from '../../schema/insights.ts';
import type { Features, RowOf } from './features.ts';

/** Order of the classes in the table of weights. */
export const CLASSES: readonly Sentiment[] = ['negative', 'neutral', 'positive'];

/** Chances of the classes, in their order; they add up to 1. */
export type Chances = [negative: number, neutral: number, positive: number];

/** Weights are whole numbers of this fraction. */
export const UNIT = 1 / 50;

/** Kinds of features: results of the rules, and words. */
const KIND = /^[rw]:/;

/**
 * A log-linear model of polarity: each feature has a weight for each class, and the sums give the
 * chances. Its table has a line for each feature: name, then the weights, tab-separated.
 */
export class PolarityModel {
  readonly rowOf: RowOf;
  readonly #labels: readonly string[];
  /** Three for each feature. */
  readonly #weights: Float64Array;
  readonly #bias: readonly number[];

  /**
   * @param rowOf numbers features otherwise than the table does, for training
   * @throws {Error} if a line is no feature with three whole numbers
   */
  constructor(table: string, rowOf?: RowOf) {
    const lines = table.trimEnd().split('\n').map(parseLine);
    const bias = lines.find(({ name }) => name === BIAS);
    if (!bias) throw new Error('the weights have no bias');
    this.#bias = bias.weights;
    const features = lines.filter((line) => line !== bias);
    this.#labels = features.map(({ name }) => name);
    const unknown = this.#labels.find((name) => !KIND.test(name));
    if (unknown !== undefined) throw new Error(`weights: no feature ${JSON.stringify(unknown)}`);
    this.#weights = Float64Array.from(features.flatMap(({ weights }) => weights));
    const rows = new Map(this.#labels.map((name, row) => [name, row]));
    this.rowOf = rowOf ?? ((name) => rows.get(name) ?? -1);
  }

  /**
   * Returns the chances of a mention: the rules and the stars add to the sums of the model. Where a
   * form asks for praise and criticism apart, the part of the mention takes the place of the stars.
   *
   * @param ruleScore from -1 to 1
   * @param part from -1 for the criticism to 1 for the praise; 0 without such parts
   */
  chancesOf(features: Features, ruleScore: number, stars: number, part = 0): Chances {
    const [negative, neutral, positive] = this.#sums(features);
    const side = RULES_WEIGHT * ruleScore + (part === 0 ? starsWorth(stars) : partWorth(part)) / 2;
    return softmax([
      negative - side,
      neutral + (stars === 3 ? NEUTRAL : NEUTRAL_ELSEWHERE),
      positive + side,
    ]);
  }

  #sums({ rows, values }: Features): Chances {
    let [negative, neutral, positive] = this.#bias as Chances;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]! * CLASSES.length;
      const value = values[at]!;
      negative += this.#weights[row]! * value;
      neutral += this.#weights[row + 1]! * value;
      positive += this.#weights[row + 2]! * value;
    }
    return [negative, neutral, positive];
  }

  /** Returns the features that spoke, the strongest first; above 0 for praise. */
  explain({ rows, values }: Features): { name: string; worth: number }[] {
    const worth = new Map<number, number>();
    rows.forEach((row, at) => {
      const weight =
        this.#weights[row * CLASSES.length + 2]! - this.#weights[row * CLASSES.length]!;
      worth.set(row, (worth.get(row) ?? 0) + weight * values[at]!);
    });
    return [...worth]
      .map(([row, sum]) => ({ name: this.#labels[row]!, worth: sum }))
      .sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth) || (a.name < b.name ? -1 : 1));
  }
}

/** The name of the line that counts for every mention. */
export const BIAS = 'bias';
/** Weight of the score of the rules beside the sums of the model. */
const RULES_WEIGHT = 2;
/**
 * Weights of three stars, and of any others, for neither praise nor criticism. In natural reviews few
 * mentions take no side: one in twenty to a hundred.
 */
const NEUTRAL = -0.5;
const NEUTRAL_ELSEWHERE = -1.4;
/**
 * Weights of one to five stars for praise over criticism: the log of how much more often a mention
 * in such a review praises. Between what gold pieces and hotel reviews with separate praise and
 * blame say, so that clear words still win.
 */
const STARS_WORTH = [-3, -1, 0, 0.5, 3];

/**
 * Weight of a part of a form for praise or criticism. Clear words win: some people go on to complain where
 * they were asked for praise.
 */
const PART_WORTH = 4;

/** Returns the weight of the stars for praise over criticism. */
export function starsWorth(stars: number): number {
  return STARS_WORTH[stars - 1]!;
}

/** Returns the weight of a part, from -1 for the criticism to 1 for the praise. */
export function partWorth(part: number): number {
  return PART_WORTH * part;
}

export function softmax([a, b, c]: Chances): Chances {
  const largest = Math.max(a, b, c);
  const [x, y, z] = [Math.exp(a - largest), Math.exp(b - largest), Math.exp(c - largest)];
  const sum = x + y + z;
  return [x / sum, y / sum, z / sum];
}

function parseLine(line: string): { name: string; weights: number[] } {
  const [name, ...weights] = line.split('\t');
  if (
    !name ||
    weights.length !== CLASSES.length ||
    !weights.every((text) => /^-?\d+$/.test(text))
  ) {
    throw new Error(`weights: not a feature and three whole numbers: ${JSON.stringify(line)}`);
  }
  return { name, weights: weights.map((text) => Number(text) * UNIT) };
}
