import type { NumberedRow } from './rows.ts';

/** An export, from the disk or from an API. */
export interface ExportFile {
  name: string;
  bytes: Buffer;
}

/** One table of reviews: a file, one of several inside a zip archive, or a sheet of a workbook. */
export interface Table {
  /** As messages name it. */
  name: string;
  kind: 'CSV' | 'Excel' | 'JSON' | 'JSONL' | 'XML';
  rows: NumberedRow[];
  /** The rest of a JSON document besides its reviews. */
  head: Readonly<Record<string, unknown>>;
  /** True for rows that an import rejected, and a person corrected. */
  isCorrected: boolean;
  /** Sentences for the owner about how it was read. */
  notes: string[];
  /** Rows of its file that may be reviews and were left out. */
  unread: Unread[];
}

/** Part of a file that was left out, with its name in sentences and its rows. */
export interface Unread {
  what: string;
  rows: number;
}

/** One line of a CSV file or a sheet; the first has number 1. */
export interface TableLine {
  number: number;
  cells: readonly unknown[];
}

/** Returns a cell of a table as text; days of a sheet have no time zone. */
export function textOfCell(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().replace('T00:00:00.000Z', '');
  return String((cell ?? '') as string).trim();
}

export function isFilled(cell: unknown): boolean {
  return typeof cell === 'string' ? /\S/.test(cell) : textOfCell(cell) !== '';
}
