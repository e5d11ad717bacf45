/**
 * Rounds half away from zero: `round(1.005, 2)` → 1.01, as on paper. Never -0, which JSON writes as 0,
 * so that a number equals the one read from its document.
 */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round((value + Number.EPSILON * Math.sign(value)) * factor) / factor + 0;
}

/** Returns the mean of whole numbers with two decimals, rounded half up; null if there are none. */
export function meanOrNull(sum: number, count: number): number | null {
  return count === 0 ? null : roundedQuotient(100 * sum, count) / 100;
}

/** Returns a percentage with one decimal, rounded half up; null if the whole is 0. */
export function percentageOrNull(part: number, whole: number): number | null {
  return whole === 0 ? null : roundedQuotient(1000 * part, whole) / 10;
}

/** Rounds a quotient of whole numbers half up, without a fraction that could lose a tie. */
function roundedQuotient(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}
