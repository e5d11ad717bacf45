/** The size of an attack: `short` takes seconds and runs with the tests, `long` takes minutes. */
export type Scale = 'short' | 'long';

/** One line of the table: a measured value, its bound, and whether the bound holds. */
export interface Row {
  what: string;
  value: string;
  bound: string;
  ok: boolean;
}

/** One kind of attack on a service that the family starts, and ends, itself. */
export interface Family {
  name: string;
  /** True if it measures growth, or repeats in a storm what has tests of its own: left to `npm run attack`. */
  isLong?: boolean;
  run(scale: Scale): Promise<Row[]>;
}

/** Returns a row for a number that must not exceed the bound; NaN fails. */
export function atMost(what: string, value: number, bound: number, unit = ''): Row {
  return {
    what,
    value: `${significant(value)} ${unit}`.trim(),
    bound: `≤ ${significant(bound)} ${unit}`.trim(),
    ok: value <= bound,
  };
}

/** Returns a row for a number that must reach the bound; NaN fails. */
export function atLeast(what: string, value: number, bound: number, unit = ''): Row {
  return {
    what,
    value: `${significant(value)} ${unit}`.trim(),
    bound: `≥ ${significant(bound)} ${unit}`.trim(),
    ok: value >= bound,
  };
}

/** Returns a row for findings of which there must be none; the first ones are shown. */
export function none(what: string, findings: readonly string[]): Row {
  const shown = findings.slice(0, SHOWN).join('; ');
  const value = findings.length === 0 ? '0' : `${findings.length}: ${shown}`;
  return { what, value, bound: '0', ok: findings.length === 0 };
}

const SHOWN = 3;

function significant(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 100 ? 2 : 0);
}
