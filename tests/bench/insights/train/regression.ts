import { CLASSES, softmax, type Chances } from '../../../../src/insights/analyze/polarity-model.ts';
import type { Features } from '../../../../src/insights/analyze/features.ts';

/** A labeled example. */
export interface Example {
  features: Features;
  /** Index of its class. */
  label: number;
  weight: number;
}

/** One number for each weight. */
type Vector = Float64Array<ArrayBuffer>;

/** The gains of the last steps that L-BFGS remembers. */
const MEMORY = 8;
const STEPS = 60;
const MIN_GAIN = 1e-6;
const MAX_HALVINGS = 12;

/**
 * Fits multinomial logistic regression by L-BFGS (Nocedal & Wright, algorithm 7.5) over all examples
 * at once: without randomness, so that the same examples always give the same weights.
 *
 * @param penalties of each feature for its squared weights
 * @returns three weights for each feature, then the three biases
 */
export function fit(examples: readonly Example[], penalties: readonly number[]): Vector {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  let point = new Float64Array((penalties.length + 1) * CLASSES.length);
  let { loss, gradient } = lossAt(point, examples, penalties, total);
  const steps: { step: Vector; change: Vector }[] = [];
  for (let count = 0; count < STEPS; count++) {
    const direction = descent(gradient, steps);
    const slope = dot(gradient, direction);
    let size = steps.length > 0 ? 1 : Math.min(1, 1 / Math.sqrt(dot(gradient, gradient)));
    let next = lossAt(plus(point, direction, size), examples, penalties, total);
    for (let tries = 0; next.loss > loss + 1e-4 * size * slope && tries < MAX_HALVINGS; tries++) {
      size /= 2;
      next = lossAt(plus(point, direction, size), examples, penalties, total);
    }
    const step = direction.map((value) => value * size);
    const change = plus(next.gradient, gradient, -1);
    const gain = loss - next.loss;
    point = plus(point, step, 1);
    ({ loss, gradient } = next);
    if (dot(step, change) > 1e-12) steps.push({ step, change });
    if (steps.length > MEMORY) steps.shift();
    if (gain < MIN_GAIN) break;
  }
  return point;
}

function lossAt(
  point: Vector,
  examples: readonly Example[],
  penalties: readonly number[],
  total: number,
): { loss: number; gradient: Vector } {
  const gradient = new Float64Array(point.length);
  const bias = penalties.length * CLASSES.length;
  let loss = 0;
  for (const { features, label, weight } of examples) {
    const { rows, values } = features;
    const sums = [point[bias], point[bias + 1], point[bias + 2]] as Chances;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]! * CLASSES.length;
      const value = values[at]!;
      sums[0] += point[row]! * value;
      sums[1] += point[row + 1]! * value;
      sums[2] += point[row + 2]! * value;
    }
    const errors = softmax(sums);
    loss -= weight * Math.log(Math.max(1e-12, errors[label]!));
    errors[label]! -= 1;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]! * CLASSES.length;
      const value = values[at]! * weight;
      gradient[row]! += errors[0] * value;
      gradient[row + 1]! += errors[1] * value;
      gradient[row + 2]! += errors[2] * value;
    }
    for (let one = 0; one < CLASSES.length; one++) gradient[bias + one]! += errors[one]! * weight;
  }
  penalties.forEach((penalty, row) => {
    for (let at = row * CLASSES.length; at < (row + 1) * CLASSES.length; at++) {
      loss += 0.5 * penalty * point[at]! ** 2;
      gradient[at]! += penalty * point[at]!;
    }
  });
  return { loss: loss / total, gradient: gradient.map((value) => value / total) };
}

/** Returns the direction of the next step: the gradient, corrected by the curvature of the last steps. */
function descent(gradient: Vector, steps: readonly { step: Vector; change: Vector }[]): Vector {
  let direction = gradient.map((value) => -value);
  const factors = new Map<number, number>();
  for (let at = steps.length - 1; at >= 0; at--) {
    const { step, change } = steps[at]!;
    const factor = dot(step, direction) / dot(step, change);
    factors.set(at, factor);
    direction = plus(direction, change, -factor);
  }
  const last = steps.at(-1);
  if (last) {
    const scale = dot(last.step, last.change) / dot(last.change, last.change);
    direction = direction.map((value) => value * scale);
  }
  steps.forEach(({ step, change }, at) => {
    const back = dot(change, direction) / dot(step, change);
    direction = plus(direction, step, factors.get(at)! - back);
  });
  return direction;
}

function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

function plus(a: Vector, b: Vector, factor: number): Vector {
  return a.map((value, at) => value + factor * b[at]!);
}
