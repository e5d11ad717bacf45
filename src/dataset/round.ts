/** Rounds half away from zero to a number of decimals; `1.005` at 2 gives 1.01, as a person expects. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round((value + Number.EPSILON * Math.sign(value)) * factor) / factor;
}

/** Mean of whole numbers with two decimals, half up; null for nothing. */
export function meanOrNull(sum: number, count: number): number | null {
  return count === 0 ? null : roundedQuotient(100 * sum, count) / 100;
}

/** A share of a hundred with one decimal, half up; null of nothing. */
export function percentageOrNull(part: number, whole: number): number | null {
  return whole === 0 ? null : roundedQuotient(1000 * part, whole) / 10;
}

/** The whole number nearest to a quotient of whole numbers, half up; no tie is lost to a fraction. */
function roundedQuotient(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}
