import { boundOf } from './bounds.ts';
import type { Rank } from './rank.ts';
import type { NumberedRow } from './rows.ts';
import { isFilled, type TableLine, textOfCell } from './table.ts';
import { columnNames, headerOf, repeats } from './table-header.ts';
import { markTotals } from './table-totals.ts';

/** Columns whose header is empty have this name. */
const UNNAMED = /^column \d+$/;
/** Cells beyond the header have a name that begins so in `rejected.csv`, until a person has moved them. */
const EXTRA = 'extra cell';

/**
 * Finds the header of a table.
 *
 * @param hasPlaces true if no separator in a text can have moved cells beyond the header
 * @returns the rows below it, by its names
 */
export function readTableRows(
  name: string,
  given: readonly TableLine[],
  rank: Rank,
  hasPlaces: boolean,
): { rows: NumberedRow[]; notes: string[] } {
  boundOf('rows', given.length - 1, name);
  for (const { cells } of given) boundOf('columns', cells.length, name);
  const lines = given.filter(({ cells }) => cells.some(isFilled));
  const header = headerOf(lines, rank);
  // Files that were joined have the header of each, maybe in another order.
  const isHeader = header.end === 0 ? () => false : repeats(lines[header.end - 1]?.cells ?? []);
  const below = lines.slice(header.end);
  const rest = below.filter((line) => !isHeader(line));
  const namesOf = (labels: readonly string[]) => {
    const last = labels.findLastIndex((label) => !UNNAMED.test(label));
    return hasPlaces || header.end === 0 ? labels : labels.slice(0, last + 1);
  };
  let columns = namesOf(header.columns);
  const full = columns.length;
  const short = rest.filter(({ cells }) => cells.length < full);
  // Many exporters leave out empty cells at the end of rows.
  const least = short.length > Math.max(1, rest.length / 4) ? 0 : full;
  const rows: NumberedRow[] = [];
  for (const line of below) {
    if (isHeader(line)) columns = namesOf(columnNames(line.cells));
    else rows.push(rowOf(columns, line, least));
  }
  markTotals(rows);
  const notes: string[] = [];
  if (header.end > 1) {
    const { number } = lines[header.end - 1]!;
    notes.push(`its header is in row ${number}; what is above was not read`);
  }
  const repeated = below.length - rest.length;
  if (repeated > 0) notes.push(`its header is repeated between the rows: ${repeated}`);
  return { rows, notes };
}

/** Reads a row by the names of columns, and marks it as cut if it has more or fewer cells. */
function rowOf(
  columns: readonly string[],
  { number, cells }: TableLine,
  least: number,
): NumberedRow {
  const width = Math.max(columns.length, cells.findLastIndex(isFilled) + 1);
  const row: Record<string, unknown> = {};
  let extra = 0;
  for (let at = 0; at < width; at++) {
    const name = columns[at] ?? `${EXTRA} ${at + 1}`;
    const cell = cells[at];
    row[name] = cell instanceof Date ? textOfCell(cell) : cell;
    if (name.startsWith(EXTRA) && isFilled(cell)) extra++;
  }
  if (extra === 0 && cells.length >= least) return { number, row };
  const known = columns.filter((name) => !name.startsWith(EXTRA)).length;
  const found = extra > 0 ? known + extra : cells.length;
  return { number, row, cut: `has ${found} of ${known} columns` };
}
