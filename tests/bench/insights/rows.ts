import type { Row } from '../report.ts';

/** Returns a row for a measure that should reach a value. */
export function atLeast(
  work: string,
  against: string,
  ratio: number,
  value: number,
  note = '',
): Row {
  return { work, against, ratio, goal: { is: 'least', value }, note };
}

/** Returns a row for a measure that should not exceed a value. */
export function atMost(work: string, against: string, ratio: number, value: number): Row {
  return { work, against, ratio, goal: { is: 'most', value }, note: '' };
}

/** Returns a row for a measure that could not be taken. */
export function skipped(work: string, against: string): Row {
  return { work, against, ratio: undefined, note: 'skipped: no such file in --external' };
}
