import { markdownTable } from '../support/table.ts';

/** One line of the table: how a work compares with its measure, and what it should be. */
export interface Row {
  work: string;
  against: string;
  /** Undefined where it could not be measured; the note says why. */
  ratio: number | undefined;
  /** Reached when the ratio is at least, or at most, the value; none where it only explains. */
  goal?: { is: 'least' | 'most'; value: number };
  note: string;
}

/** Whether the goal is reached; undefined where there is none, or nothing was measured. */
export function isMet({ ratio, goal }: Row): boolean | undefined {
  if (ratio === undefined || !goal) return undefined;
  return goal.is === 'least' ? ratio >= goal.value : ratio <= goal.value;
}

const HEAD = ['work', 'against', 'ratio', 'goal', 'met', 'note'];
const MET = new Map([
  [true, 'yes'],
  [false, 'no'],
  [undefined, '–'],
]);

/** The rows as a Markdown table with aligned columns. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.work,
    row.against,
    row.ratio === undefined ? '–' : significant(row.ratio),
    row.goal ? `${row.goal.is === 'least' ? '≥' : '≤'} ${significant(row.goal.value)}` : '–',
    MET.get(isMet(row))!,
    row.note,
  ]);
  return markdownTable(HEAD, cells);
}

/** Two decimals, none where they would say nothing. */
export function significant(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
