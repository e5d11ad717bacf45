import { stateAt, type Row } from './rows.ts';

/** Numbers of rows by the value of a column, in lower case; the empty one is that of rows without it. */
export type ValueCounts = ReadonlyMap<string, number>;

/** @param most the number of different values above which counting ends */
export function countsAt(rows: readonly Row[], column: string, most = Infinity): ValueCounts {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (counts.size > most) break;
    const value = stateAt(row, column);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

const MOST_VALUES = 12;

/** Lists values with their rows, the most frequent first: `"approved" (12 rows), "new" (1 row)`. */
export function listed(counts: ValueCounts): string {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = sorted
    .slice(0, MOST_VALUES)
    .map(
      ([value, rows]) =>
        `${JSON.stringify(value.slice(0, 60))} (${rows} ${rows === 1 ? 'row' : 'rows'})`,
    );
  return (
    shown.join(', ') +
    (sorted.length > MOST_VALUES ? `, and ${sorted.length - MOST_VALUES} more` : '')
  );
}
