/** Limits of an export, and the words for a file beyond them. The largest real ones have a tenth. */
const BOUNDS = {
  bytes: [192 * 2 ** 20, 'is larger than 192 MiB'],
  rows: [250_000, 'has more than 250,000 rows'],
  columns: [2_000, 'has more than 2,000 columns'],
  cells: [5_000_000, 'has more than 5 million cells'],
  depth: [50, 'is nested deeper than 50 levels'],
  cell: [2 ** 20, 'has a row larger than 1 MiB'],
  lists: [500, 'has more than 500 lists'],
  sheets: [200, 'has more than 200 sheets'],
  entries: [5_000, 'has more than 5,000 entries'],
} as const;

/** @throws where a file has more of something than an export has; the error states the bound */
export function boundOf(bound: keyof typeof BOUNDS, value: number, name: string): void {
  const [max, words] = BOUNDS[bound];
  if (value > max)
    throw new Error(
      `${name}: ${words}: no export of reviews is that large, so export the reviews alone`,
    );
}

/** Returns how much of something a file may have at most. */
export function maximum(bound: keyof typeof BOUNDS): number {
  return BOUNDS[bound][0];
}
