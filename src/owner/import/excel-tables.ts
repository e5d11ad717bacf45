import { readXlsx } from 'hucre/xlsx';
import { boundOf } from './bounds.ts';
import { packZip } from './pack-zip.ts';
import { isFilled, type Table, type TableLine } from './table.ts';
import type { ZipArchive } from './zip-archive.ts';
import { chooseParts } from './choose-parts.ts';
import { joinedRows } from './outer-names.ts';
import type { Rank } from './rank.ts';
import { readTableRows } from './table-rows.ts';

/** Reads the visible sheet that looks most like reviews, and those with the same columns. */
export async function excelTables(name: string, archive: ZipArchive, rank: Rank): Promise<Table[]> {
  const sheets = (await readSheets(name, archive)).flatMap((sheet) => {
    const { rows, notes } = readTableRows(`${name}, sheet ${sheet.name}`, sheet.lines, rank, true);
    const what = `the ${sheet.isHidden ? 'hidden ' : ''}sheet ${sheet.name}`;
    return rows.length > 0 ? [{ ...sheet, what, rows, notes }] : [];
  });
  if (sheets.length === 0) return [];
  if (sheets.every(({ isHidden }) => isHidden)) {
    throw new Error(`${name}: all sheets with rows are hidden: show the one with the reviews`);
  }
  const { chosen, unread } = chooseParts(sheets, rank, false);
  const hidden = chosen
    .filter(({ hiddenRows }) => hiddenRows > 0)
    .map((sheet) => ({ what: `hidden rows of ${sheet.what}`, rows: sheet.hiddenRows }));
  return [
    {
      name,
      kind: 'Excel',
      head: {},
      rows: joinedRows(chosen).flatMap((rows, at) =>
        chosen.length === 1 ? rows : rows.map((each) => ({ ...each, sheet: chosen[at]!.name })),
      ),
      isCorrected: false,
      notes: chosen.flatMap((sheet) => sheet.notes),
      unread: [...unread, ...hidden],
    },
  ];
}

interface ExcelSheet {
  name: string;
  isHidden: boolean;
  lines: TableLine[];
  /** The rows that are not shown, and not read. */
  hiddenRows: number;
}

/** Reads the sheets of a workbook, without what its author hid from readers. */
async function readSheets(name: string, archive: ZipArchive): Promise<ExcelSheet[]> {
  const parts = archive.names.filter((part) => NEEDED.test(part));
  const files = await archive.read(parts);
  let largest = 0;
  const plain = files.map(({ name: part, bytes }): [string, Buffer] => {
    if (!/^xl\/.*\.xml$/.test(part)) return [part, bytes];
    const xml = bytes.toString();
    largest = Math.max(largest, cellsIn(name, xml));
    // The guides to reading Japanese words are no part of them.
    return [part, Buffer.from(xml.replaceAll(/<(?:\w+:)?rPh\b[^]*?(?:<\/(?:\w+:)?rPh>|$)/g, ''))];
  });
  const workbook = await readXlsx(packZip(Object.fromEntries(plain)), {
    sheets: (_, index) => {
      boundOf('sheets', index + 1, name);
      // Many sheets may be one part of the file.
      boundOf('cells', largest * (index + 1), name);
      return true;
    },
  }).catch((error: Error) => {
    if (error.message.startsWith(`${name}: `)) throw error;
    const words = `cannot be read: ${error.message}: save it again in a spreadsheet, or as CSV`;
    throw new Error(`${name}: ${words}`, { cause: error });
  });
  return workbook.sheets.map(({ name: sheet, rows, rowDefs, hidden, veryHidden }) => {
    const lines = rows.map((row, index) => ({ number: index + 1, cells: row }));
    const isRowHidden = ({ number }: TableLine) => rowDefs?.get(number - 1)?.hidden === true;
    const hiddenRows = lines.filter((line) => isRowHidden(line) && line.cells.some(isFilled));
    return {
      name: sheet,
      isHidden: hidden === true || veryHidden === true,
      lines: lines.filter((line) => !isRowHidden(line)),
      hiddenRows: hiddenRows.length,
    };
  });
}

/** The parts of a workbook that have its cells. */
const NEEDED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:_rels\/)?[^/]+\.(?:xml|rels)|xl\/worksheets\/[^/]+\.xml)$/;

/** Returns the size of a sheet, from the corner to the last cell: readers keep all of it. */
function cellsIn(name: string, xml: string): number {
  const size = { row: 0, column: 0, count: 0 };
  let current = 0;
  for (const [tag, kind] of xml.matchAll(/<(?:\w+:)?(c|row)[\s/>][^<>]*/g)) {
    const [, letters = '', stated] = /\sr="([A-Z]*)(\d+)"/.exec(tag) ?? [];
    if (kind === 'row') {
      current = Number(stated ?? current + 1);
      continue;
    }
    let column = 0;
    for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
    size.column = Math.max(size.column, column);
    size.row = Math.max(size.row, Number(stated ?? current));
    size.count++;
    boundOf('columns', column, name);
    boundOf('cells', size.count, name);
  }
  boundOf('rows', size.row - 1, name);
  return Math.max(size.column * size.row, size.count);
}
