import { rankZ, trendOf } from '../../../src/insights/aggregate/temporal.ts';
import { Random } from '../../support/random.ts';

const WINDOWS: readonly [recent: number, previous: number][] = [
  [10, 10],
  [10, 20],
  [20, 20],
  [20, 40],
  [40, 40],
  [15, 60],
  [100, 100],
];
/** Chances of 1 to 5 stars: even, most good, most bad and good, nearly all good. */
const STARS: readonly (readonly number[])[] = [
  [0.2, 0.2, 0.2, 0.2, 0.2],
  [0.1, 0.05, 0.1, 0.25, 0.5],
  [0.3, 0.05, 0.05, 0.1, 0.5],
  [0.05, 0.02, 0.03, 0.1, 0.8],
  [0.02, 0.01, 0.01, 0.02, 0.94],
];
const TRIALS = 4_000;

/**
 * Returns the highest share of trials in which a business that never changes is called improving or
 * declining, over sizes of the windows and distributions of stars.
 */
export function worstFalseAlarm(): number {
  const random = new Random(1);
  const rates = WINDOWS.flatMap(([n, m]) =>
    STARS.map((stars) => alarms(random, [n, stars], [m, stars])),
  );
  return Math.max(...rates);
}

/** Returns how often a drop of 20 points of five-star reviews to one star is found in 20 and 20. */
export function powerOfTrend(): number {
  const [before, after] = [
    [0.1, 0.05, 0.05, 0.2, 0.6],
    [0.3, 0.05, 0.05, 0.2, 0.4],
  ];
  return alarms(new Random(2), [20, after], [20, before]);
}

type Group = readonly [size: number, stars: readonly number[]];

function alarms(random: Random, a: Group, b: Group): number {
  let found = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const z = rankZ(sample(random, a), sample(random, b));
    if (trendOf(z) !== 'stable') found++;
  }
  return found / TRIALS;
}

/** Returns the numbers of reviews with 1 to 5 stars in a sample. */
function sample(random: Random, [size, stars]: Group): number[] {
  const counts = [0, 0, 0, 0, 0];
  for (let drawn = 0; drawn < size; drawn++) {
    let chance = random.next();
    const star = stars.findIndex((share) => (chance -= share) < 0);
    counts[star < 0 ? 4 : star]!++;
  }
  return counts;
}
