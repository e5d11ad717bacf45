import { writeFile } from 'node:fs/promises';

/** One line of the table: how a task compares with its peer, and the goal. */
export interface Row {
  work: string;
  against: string;
  /** Undefined if it could not be measured; the note says why. */
  ratio: number | undefined;
  /** A lower or upper bound of the ratio; none if the row only explains. */
  goal?: { is: 'min' | 'max'; value: number };
  note: string;
  /** Why the goal is missed, if that is known; such a row does not fail the run. */
  reason?: string;
}

/** Tells if the goal is met; undefined without a goal or a measurement. */
export function isMet({ ratio, goal }: Row): boolean | undefined {
  if (ratio === undefined || !goal) return undefined;
  return goal.is === 'min' ? ratio >= goal.value : ratio <= goal.value;
}

const MET = { true: 'yes', false: 'no', undefined: '–' };

/**
 * Formats the rows as a Markdown table with aligned columns.
 *
 * @param last rows of a former run, whose ratios and notes are shown beside
 */
export function table(rows: readonly Row[], last?: readonly Row[]): string {
  const shown = (row: Row | undefined) => (row?.ratio === undefined ? '–' : significant(row.ratio));
  const lastOf = ({ work, against }: Row) =>
    last?.find((row) => row.work === work && row.against === against);
  const head = ['work', 'against', 'ratio', ...(last ? ['last'] : []), 'goal', 'met', 'note'];
  const cells = rows.map((row) => [
    row.work,
    row.against,
    shown(row),
    ...(last ? [shown(lastOf(row))] : []),
    row.goal ? `${row.goal.is === 'min' ? '≥' : '≤'} ${significant(row.goal.value)}` : '–',
    MET[`${isMet(row)}`],
    [row.note, lastOf(row)?.note].filter(Boolean).join(' · last: ') +
      (row.reason && isMet(row) === false ? ` · because ${row.reason}` : ''),
  ]);
  return markdownTable(head, cells);
}

/** Writes the rows to a file, as JSON, with whether each goal is met. */
export async function saveRows(file: string, rows: readonly Row[]): Promise<void> {
  const shown = rows.map((row) => ({ ...row, met: isMet(row) ?? null }));
  await writeFile(file, `${JSON.stringify(shown, null, 2)}\n`);
}

/** Formats with two decimals, or none for large numbers. */
function significant(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}

/** Formats rows as a Markdown table with aligned columns. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const shown = lines.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`,
  );
  shown.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return shown.join('\n');
}

/** Returns a row for a measure that should reach a value. */
export function atLeast(
  work: string,
  against: string,
  ratio: number,
  value: number,
  note = '',
): Row {
  return { work, against, ratio, goal: { is: 'min', value }, note };
}

/** Returns a row for a measure that should not exceed a value. */
export function atMost(work: string, against: string, ratio: number, value: number): Row {
  return { work, against, ratio, goal: { is: 'max', value }, note: '' };
}

/** Returns a row for a measure that could not be taken. */
export function skipped(work: string, against: string): Row {
  return { work, against, ratio: undefined, note: 'skipped: no such file in --external' };
}
