import { readXlsx, type CellValue } from 'hucre/xlsx';
import { boundOf } from './bounds.ts';
import { isFilled } from './cells.ts';
import { packZip } from './pack-zip.ts';
import type { TableLine } from './table.ts';
import type { ZipArchive } from './zip-archive.ts';

export interface ExcelSheet {
  name: string;
  isHidden: boolean;
  lines: TableLine[];
  /** The rows that are not shown, and not read. */
  hiddenRows: number;
}

/** Reads the sheets of a workbook, without what its author hid from readers. */
export async function readSheets(name: string, archive: ZipArchive): Promise<ExcelSheet[]> {
  const parts = archive.names.filter((part) => NEEDED.test(part));
  const files = await archive.read(parts);
  let cells = 0;
  const plain = files.map(({ name: part, bytes }): [string, Buffer] => {
    if (!/^xl\/.*\.xml$/.test(part)) return [part, bytes];
    const xml = bytes.toString();
    cells += cellsIn(name, xml);
    boundOf('cells', cells, name);
    // The guides to reading Japanese words are no part of them.
    return [part, Buffer.from(xml.replaceAll(/<(?:\w+:)?rPh\b[^]*?(?:<\/(?:\w+:)?rPh>|$)/g, ''))];
  });
  const workbook = await readXlsx(packZip(Object.fromEntries(plain)), {
    sheets: (_, index) => {
      boundOf('sheets', index + 1, name);
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
    refuseTurnedDays(`${name}, sheet ${sheet}`, rows);
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
  let columns = 0;
  let rows = 0;
  let count = 0;
  for (const [cell] of xml.matchAll(/<(?:\w+:)?(?:c|row)[\s/>][^<>]*/g)) {
    const [, letters = '', row = '0'] = /\sr="([A-Z]*)(\d+)"/.exec(cell) ?? [];
    let column = 0;
    for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
    boundOf('columns', column, name);
    columns = Math.max(columns, column);
    rows = Math.max(rows, Number(row));
    count++;
    boundOf('cells', count, name);
  }
  boundOf('rows', rows - 1, name);
  return Math.max(columns * rows, count);
}

/**
 * Throws for columns in which Excel took days such as 03/04 for dates of another order, and left
 * 13/04 as text.
 */
function refuseTurnedDays(place: string, rows: readonly (readonly CellValue[])[]): void {
  const dates = new Map<number, boolean>();
  const texts = new Map<number, string>();
  rows.forEach((cells) => {
    cells.forEach((cell, column) => {
      if (cell instanceof Date) {
        dates.set(column, (dates.get(column) ?? true) && cell.getUTCDate() <= 12);
      } else if (typeof cell === 'string' && hasLateDay(cell)) texts.set(column, cell);
    });
  });
  const turned = [...texts].find(([column]) => dates.get(column) === true);
  if (!turned) return;
  const [column, text] = turned;
  const title = rows.map((cells) => cells[column]).find((cell) => typeof cell === 'string');
  throw new Error(
    `${place}: the column ${title} has dates whose days are all up to 12, and texts such as ${text}: ` +
      'Excel turned some days around: export again, or set the column to text before the file is opened',
  );
}

function hasLateDay(text: string): boolean {
  const [, one, other] = /^\s*(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}\b/.exec(text) ?? [];
  return Number(one) > 12 || Number(other) > 12;
}
