import { boundOf } from './bounds.ts';
import type { Rank } from './rank.ts';
import { flatten, type NumberedRow } from './rows.ts';
import { isFilled, type TableLine, textOfCell } from './table.ts';
import { headerOf } from './table-header.ts';
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
  const last = header.columns.findLastIndex((column) => !UNNAMED.test(column));
  const columns =
    hasPlaces || header.end === 0 ? header.columns : header.columns.slice(0, last + 1);
  const below = lines.slice(header.end);
  const short = below.filter(({ cells }) => cells.length < columns.length);
  // Many exporters leave out empty cells at the end of rows.
  const least = short.length > Math.max(1, below.length / 4) ? 0 : columns.length;
  const rows = below.map((line) => rowOf(columns, line, least));
  refuseJoined(name, columns, below);
  markTotals(rows);
  if (header.end < 2) return { rows, notes: [] };
  const { number } = lines[header.end - 1]!;
  return { rows, notes: [`its header is in row ${number}; what is above was not read`] };
}

/** @throws where files with the same columns in another order were joined */
function refuseJoined(name: string, columns: readonly string[], lines: readonly TableLine[]): void {
  const names = new Set(columns);
  const header = lines.find(({ cells }) => {
    const isOther = cells.some((cell, at) => textOfCell(cell) !== columns[at]);
    return isOther && cells.length > 2 && cells.every((cell) => names.has(textOfCell(cell)));
  });
  if (!header) return;
  throw new Error(
    `${name}: row ${header.number} has the columns in another order: import the files that were joined one by one`,
  );
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
  if (extra === 0 && cells.length >= least) return { number, row: flatten(row) };
  const known = columns.filter((name) => !name.startsWith(EXTRA)).length;
  const found = extra > 0 ? known + extra : cells.length;
  return { number, row, cut: `has ${found} of ${known} columns` };
}
