import { trendOf, twoProportionZ } from '../../../src/insights/aggregate/temporal.ts';

const WINDOWS: readonly [recent: number, previous: number][] = [
  [10, 10],
  [10, 20],
  [20, 20],
  [20, 40],
  [40, 40],
  [15, 60],
  [100, 100],
];
const SHARES = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/**
 * Returns the highest probability that a business that never changes is called improving or
 * declining, over sizes of the windows and shares of positive reviews. Computed, not sampled.
 */
export function worstFalseAlarm(): number {
  const rates = WINDOWS.flatMap(([n, m]) => SHARES.map((share) => falseAlarm(n, m, share)));
  return Math.max(...rates);
}

function falseAlarm(n: number, m: number, share: number): number {
  const [recent, previous] = [binomial(n, share), binomial(m, share)];
  let sum = 0;
  recent.forEach((p, a) => {
    previous.forEach((q, b) => {
      if (trendOf(twoProportionZ(a, n, b, m)) !== 'stable') sum += p * q;
    });
  });
  return sum;
}

/** Returns the probability of each number of positive reviews. */
function binomial(n: number, share: number): number[] {
  const chances = [(1 - share) ** n];
  for (let k = 1; k <= n; k++) {
    chances.push((chances[k - 1]! * (n - k + 1) * share) / (k * (1 - share)));
  }
  return chances;
}
