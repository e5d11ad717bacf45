/** Rounds half up to a number of decimals; `1.005` at 2 gives 1.01, as a person expects. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round((value + Number.EPSILON * Math.sign(value)) * factor) / factor;
}

/** Mean with two decimals; null for nothing. */
export function meanOrNull(sum: number, count: number): number | null {
  return count === 0 ? null : round(sum / count, 2);
}

/** A share of a hundred with one decimal; null of nothing. */
export function percentageOrNull(part: number, whole: number): number | null {
  return whole === 0 ? null : round((part / whole) * 100, 1);
}
