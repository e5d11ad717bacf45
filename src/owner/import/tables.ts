import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse, type CsvError } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import * as yauzl from 'yauzl';
import { unguardCell } from '../../resources/reviews-csv.ts';
import { boundOf, most } from './bounds.ts';
import { readJsonRows, type Rank } from './json-rows.ts';
import type { NumberedRow, Row } from './rows.ts';

/** An export, from the disk or from an API. */
export interface ExportFile {
  name: string;
  bytes: Buffer;
}

/** One table of reviews: a file, or one of several inside a zip archive. */
export interface Table {
  /** As messages name it. */
  name: string;
  kind: 'CSV' | 'Excel' | 'JSON' | 'JSONL';
  rows: NumberedRow[];
  /** The rest of a JSON document besides its reviews. */
  head: Readonly<Record<string, unknown>>;
  /** True for rows that an import rejected, and a person corrected. */
  isCorrected: boolean;
  /** Sentences for the owner about how it was read. */
  notes: string[];
}

interface TableOptions {
  /** Label of the encoding, for text files that are not Unicode. */
  encoding?: string | undefined;
  /** Tells which list of a JSON document has the reviews. */
  rank: Rank;
}

/** The first column of `rejected.csv`. */
export const REASON = 'reason';

/**
 * Reads an export file and finds the tables in it by their content.
 *
 * @returns the tables, and the hash of the file that provenance records state
 * @throws in one line where the file is broken or exceeds a bound
 */
export async function readTables(
  { name, bytes }: ExportFile,
  options: TableOptions,
): Promise<{ tables: Table[]; sha256: string }> {
  const sha256 = hash('sha256', bytes);
  const start = bytes.subarray(0, 4).toString('latin1');
  if (start === '\xd0\xcf\x11\xe0') {
    throw new Error(`${name}: is an old Excel file: save it as .xlsx or CSV`);
  }
  if (start !== 'PK\x03\x04') return { tables: [textTable(name, bytes, options)], sha256 };
  const { isExcel, entries } = await unzip(name, bytes);
  const tables = isExcel
    ? [await excelTable(name, bytes)]
    : entries.map((entry) => textTable(`${name}/${entry.name}`, entry.bytes, options));
  return { tables, sha256 };
}

/** Reads a file of exports. @throws in one line where the file is none, or is too large */
export function readExportFile(path: string): ExportFile {
  const name = basename(path);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new Error(`${path}: there is no such file`);
  if (!stats.isFile()) throw new Error(`${path}: is not a file`);
  boundOf('bytes', stats.size, name);
  return { name, bytes: readFileSync(path) };
}

/** Reads the reviews of a Takeout archive. Its folders have translated names; its files have not. */
async function unzip(
  name: string,
  bytes: Buffer,
): Promise<{ isExcel: boolean; entries: { name: string; bytes: Buffer }[] }> {
  const zip = await yauzl.fromBufferPromise(bytes);
  const entries: { name: string; bytes: Buffer }[] = [];
  let isExcel = false;
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    isExcel ||= entry.fileName === 'xl/workbook.xml';
    const isReviews = /(?:^|\/)reviews[^/]*\.(?:json|csv)$/i.test(entry.fileName);
    if (isReviews || entry.fileName.startsWith('xl/')) unpacked += entry.uncompressedSize;
    boundOf('bytes', unpacked, `${name}/${entry.fileName}`);
    // yauzl stops at a file that unpacks to more than it states.
    if (isReviews) {
      const unzipped = await buffer(await zip.openReadStreamPromise(entry));
      entries.push({ name: entry.fileName, bytes: unzipped });
    }
  }
  if (!isExcel && entries.length === 0) {
    throw new Error(`${name}: the archive has no reviews*.json`);
  }
  return { isExcel, entries };
}

function textTable(name: string, bytes: Buffer, { encoding, rank }: TableOptions): Table {
  const { text, note } = decode(name, bytes, encoding);
  const notes = note === undefined ? [] : [note];
  const first = text.trimStart()[0];
  if (first === undefined) throw new Error(`${name}: is empty`);
  const isJson = first === '{' || first === '[';
  if (first === '<') {
    throw new Error(
      `${name}: is a web page, not a table: open it in a spreadsheet and save it as .xlsx or CSV`,
    );
  }
  if (isJson) return { name, ...readJsonRows(name, text, rank), isCorrected: false, notes };
  return { name, ...csvTable(name, text), notes };
}

function csvTable(name: string, given: string): Omit<Table, 'name' | 'notes'> {
  // Excel writes a first line for itself.
  const text = given.replace(/^\ufeff?sep=.\r?\n/, '');
  let lines: string[][];
  try {
    lines = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      max_record_size: most('cell'),
      relax_column_count: true,
      to: most('rows') + 2,
    });
  } catch (error) {
    throw new Error(`${name}: ${reasonOf(error as CsvError)}`, { cause: error });
  }
  const rows = withCuts(rowsBelowHeader(name, lines), lines);
  const [first] = rows;
  const isCorrected = first !== undefined && Object.keys(first.row)[0] === REASON;
  return {
    kind: 'CSV',
    head: {},
    isCorrected,
    rows: isCorrected ? rows.map(({ number, row }) => ({ number, row: unguarded(row) })) : rows,
  };
}

/** Returns the rows below the header, by its names; a title may precede the header. */
function rowsBelowHeader(name: string, lines: readonly (readonly unknown[])[]): NumberedRow[] {
  boundOf('rows', lines.length - 1, name);
  const top = Math.max(
    0,
    lines.findIndex((cells) => cells.filter((cell) => !isEmpty(cell)).length > 1),
  );
  const columns = columnNames(name, lines[top] ?? []);
  const rows: NumberedRow[] = [];
  for (const [index, cells] of lines.entries()) {
    if (index <= top || cells.every(isEmpty)) continue;
    const values = columns.map((column, place) => [column, cellValue(cells[place])]);
    rows.push({ number: index + 1, row: Object.fromEntries(values) as Row });
  }
  return rows;
}

/** Marks rows with fewer cells than nearly all others: their ends are missing. */
function withCuts(rows: readonly NumberedRow[], lines: readonly string[][]): NumberedRow[] {
  const cellsOf = ({ number }: NumberedRow) => lines[number - 1]!.length;
  const full = rows.reduce((most, row) => Math.max(most, cellsOf(row)), 0);
  const short = rows.filter((row) => cellsOf(row) < full);
  if (short.length > rows.length / 4) return [...rows];
  return rows.map((row) => {
    const cells = cellsOf(row);
    return cells === full ? row : { ...row, cut: `has ${cells} of ${full} columns` };
  });
}

function unguarded(row: Row): Row {
  const values = Object.entries(row).filter(([name]) => name !== REASON);
  return Object.fromEntries(values.map(([name, value]) => [name, unguardCell(String(value))]));
}

function reasonOf({ code, message, lines, records }: CsvError): string {
  const line = /at line (\d+)/.exec(message)?.[1] ?? String(lines);
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return `after row ${records}: the quotation mark of line ${line} is never closed: the file may have been cut short, so export it again`;
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `row ${Number(records) + 1} is larger than 1 MiB: a quotation mark may not be closed`;
  }
  return message;
}

function columnNames(name: string, header: readonly unknown[]): string[] {
  boundOf('columns', header.length, name);
  const used = new Set<string>();
  return header.map((title, index) => {
    const column = String(title ?? '').trim() || `column ${index + 1}`;
    const unique = used.has(column.toLowerCase()) ? `${column} ${index + 1}` : column;
    used.add(unique.toLowerCase());
    return unique;
  });
}

/** The most frequent separator of the first line that has one: spreadsheets in Europe write semicolons. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, most('cell'))
    .replaceAll(/"[^"]*"/g, '')
    .split('\n');
  const header = lines.find((line) => /[,;\t|]/.test(line)) ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** Reads the first sheet that has rows. The reader itself refuses what unpacks to too much. */
async function excelTable(name: string, bytes: Buffer): Promise<Table> {
  const workbook = await readXlsx(bytes, { maxRows: most('rows') + 2 }).catch((error: Error) => {
    throw new Error(`${name}: cannot be read: ${error.message}`, { cause: error });
  });
  const [sheet, ...others] = workbook.sheets.filter(({ rows }) => rows.length > 1);
  const rows = rowsBelowHeader(name, sheet?.rows ?? []);
  const unread = others.map((other) => other.name).join(', ');
  const notes = unread === '' ? [] : [`only the sheet ${sheet!.name} was read, not ${unread}`];
  return { name, kind: 'Excel', head: {}, rows, isCorrected: false, notes };
}

function isEmpty(cell: unknown): boolean {
  return cell === null || cell === undefined || String(cell as string).trim() === '';
}

/** Days of a sheet have no time zone. */
function cellValue(cell: unknown): unknown {
  return cell instanceof Date ? cell.toISOString().replace('T00:00:00.000Z', '') : cell;
}

/** Decodes UTF-8 or UTF-16, with a byte order mark or without, or else what Windows wrote. */
function decode(
  name: string,
  bytes: Buffer,
  encoding: string | undefined,
): { text: string; note?: string } {
  try {
    return { text: new TextDecoder(encoding ?? encodingOf(bytes), { fatal: true }).decode(bytes) };
  } catch (error) {
    if (encoding !== undefined) {
      throw new Error(`${name}: cannot be read as ${encoding}`, { cause: error });
    }
    const letters = new TextDecoder().decode(bytes).match(/[^\0-\x7f]/g) ?? [];
    const broken = letters.filter((letter) => letter === '\ufffd').length;
    if (broken < letters.length / 2) {
      throw new Error(`${name}: is UTF-8 with broken letters: export it again`, { cause: error });
    }
    return {
      text: new TextDecoder('windows-1252').decode(bytes),
      note: 'it is not UTF-8 and was read as Windows-1252; if letters look wrong, say --encoding',
    };
  }
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] !== 0 && start[1] === 0) return 'utf-16le';
  if (start[0] === 0 && start[1] !== 0) return 'utf-16be';
  return 'utf-8';
}
