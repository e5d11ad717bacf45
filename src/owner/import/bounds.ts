const MEBIBYTE = 2 ** 20;

/** Limits of an export. The largest real ones have a tenth of it. */
const BOUNDS = {
  bytes: { most: 192 * MEBIBYTE, unit: 'MiB', per: MEBIBYTE, what: 'is larger than' },
  rows: { most: 250_000, unit: 'rows', per: 1, what: 'has more than' },
  columns: { most: 2_000, unit: 'columns', per: 1, what: 'has more than' },
  depth: { most: 50, unit: 'levels', per: 1, what: 'is nested deeper than' },
  cell: { most: MEBIBYTE, unit: 'MiB', per: MEBIBYTE, what: 'has a row larger than' },
};

/** @throws where a file has more of something than an export has; the error states the bound */
export function boundOf(bound: keyof typeof BOUNDS, value: number, name: string): void {
  const { most, unit, per, what } = BOUNDS[bound];
  if (value <= most) return;
  throw new Error(
    `${name}: ${what} ${(most / per).toLocaleString('en')} ${unit}: no export of reviews is`,
  );
}

/** Returns the most that there may be of something. */
export function most(bound: keyof typeof BOUNDS): number {
  return BOUNDS[bound].most;
}
