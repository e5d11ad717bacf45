import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { unguardCell } from '../../resources/reviews-csv.ts';
import { archiveTables } from './archive-tables.ts';
import { boundOf } from './bounds.ts';
import { readCsvLines } from './csv-lines.ts';
import { excelTables } from './excel-tables.ts';
import { readJsonRows } from './json-rows.ts';
import { decodeText } from './letters.ts';
import { jsonOfXml, linesOfPage } from './markup.ts';
import {
  isPage,
  refuseDocuments,
  refuseMaps,
  refuseOtherKinds,
  refuseOtherTexts,
} from './other-kinds.ts';
import type { Rank } from './rank.ts';
import type { Row } from './rows.ts';
import type { ExportFile, Table } from './table.ts';
import { readTableRows } from './table-rows.ts';
import { openZip } from './zip-archive.ts';

interface TableOptions {
  /** Label of the encoding, for text files that are not Unicode. */
  encoding?: string | undefined;
  /** Tells which list, sheet or entry has the reviews. */
  rank: Rank;
}

/** The first column of `rejected.csv`. */
export const REASON = 'reason';

/**
 * Reads an export file and finds the tables in it by their content.
 *
 * @param isInside true for an entry of an archive
 * @throws in one line where the file is broken or exceeds a bound
 */
export async function readTables(
  { name, bytes }: ExportFile,
  options: TableOptions,
  isInside = false,
): Promise<Table[]> {
  refuseOtherKinds(name, bytes);
  if (!bytes.subarray(0, 4).equals(ZIP)) return [textTable(name, bytes, options)];
  const archive = await openZip(name, bytes);
  if (archive.names.includes('xl/workbook.xml')) return excelTables(name, archive, options.rank);
  refuseDocuments(name, archive.names);
  if (isInside) throw new Error(`${name}: is an archive in an archive: unpack it and import that`);
  return archiveTables(name, archive, options.rank, (entry) => readTables(entry, options, true));
}

const ZIP = Buffer.from('PK\x03\x04');

/** Reads a file of exports. @throws in one line where the file is none, or is too large */
export function readExportFile(path: string): ExportFile {
  const name = basename(path);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new Error(`${path}: there is no such file`);
  if (!stats.isFile()) throw new Error(`${path}: is not a file`);
  boundOf('bytes', stats.size, name);
  return { name, bytes: readFileSync(path) };
}

function textTable(name: string, bytes: Buffer, { encoding, rank }: TableOptions): Table {
  refuseMaps(name, bytes);
  const { text, note } = decodeText(name, bytes, encoding);
  const notes = note === undefined ? [] : [note];
  if (text.trim() === '') throw new Error(`${name}: is empty`);
  refuseOtherTexts(name, text);
  const isXml = /^\s*</.test(text) && !isPage(text);
  if (!isXml && !/^\s*[[{]/.test(text)) {
    const read = csvTable(name, text, rank);
    return { name, ...read, notes: [...notes, ...read.notes] };
  }
  const read = readJsonRows(name, isXml ? jsonOfXml(name, text) : text, rank);
  const kind = isXml ? ('XML' as const) : read.kind;
  return { name, ...read, kind, isCorrected: false, notes: [...notes, ...read.notes] };
}

function csvTable(name: string, text: string, rank: Rank): Omit<Table, 'name'> {
  const { lines, notes } = isPage(text) ? linesOfPage(text) : readCsvLines(name, text);
  const numbered = lines.map((cells, index) => ({ number: index + 1, cells }));
  const { rows, notes: more } = readTableRows(name, numbered, rank, false);
  const [first] = rows;
  const isCorrected = first !== undefined && Object.keys(first.row)[0] === REASON;
  return {
    kind: 'CSV',
    head: {},
    isCorrected,
    rows: isCorrected ? rows.map((each) => ({ ...each, row: unguarded(each.row) })) : rows,
    notes: [...notes, ...more],
    unread: [],
  };
}

function unguarded(row: Row): Row {
  const values = Object.entries(row).filter(([name]) => name !== REASON);
  return Object.fromEntries(values.map(([name, value]) => [name, unguardCell(String(value))]));
}
