import { readSheets } from './excel-sheets.ts';
import { monthOf } from './calendar-words.ts';
import { isPlatform, platformNamed } from './platform-name.ts';
import { OF_OTHERS, OUTER_PLACE } from './json-rows.ts';
import { READABLE, type Rank } from './rank.ts';
import { columnsOf, type NumberedRow } from './rows.ts';
import { readTableRows } from './table-rows.ts';
import type { Table } from './table.ts';
import type { ZipArchive } from './zip-archive.ts';

/** Reads the visible sheet that looks most like reviews, and those with the same columns. */
export async function excelTables(name: string, archive: ZipArchive, rank: Rank): Promise<Table[]> {
  const sheets = (await readSheets(name, archive)).map((sheet) => {
    const { rows, notes } = readTableRows(`${name}, sheet ${sheet.name}`, sheet.lines, rank, true);
    const complete = rows.filter(({ cut }) => cut === undefined).map(({ row }) => row);
    const columns = columnsOf(complete).map((column) => column.toLowerCase());
    return { ...sheet, rows, notes, rank: rank(complete), columns: columns.sort().join('\n') };
  });
  const filled = sheets.filter(({ rows }) => rows.length > 0);
  const shown = filled.filter(({ isHidden }) => !isHidden);
  const ours = shown.filter(({ name: sheet }) => !OF_OTHERS.test(sheet));
  const visible = ours.length > 0 ? ours : shown;
  if (visible.length === 0 && filled.length > 0) {
    throw new Error(`${name}: all sheets with rows are hidden: show the one with the reviews`);
  }
  const best = visible.toSorted((a, b) => b.rank - a.rank)[0];
  const chosen = visible.filter((sheet) => sheet === best || sheet.columns === best!.columns);
  const left = filled.filter((sheet) => !chosen.includes(sheet));
  const reviews = left.filter((sheet) => sheet.rank >= READABLE);
  const others = left.filter((sheet) => !reviews.includes(sheet));
  const unread = [
    ...reviews.map(({ name: sheet, isHidden, rows }) => ({
      what: `the ${isHidden ? 'hidden ' : ''}sheet ${sheet}`,
      rows: rows.length,
    })),
    ...chosen
      .filter(({ hiddenRows }) => hiddenRows > 0)
      .map((sheet) => ({ what: `hidden rows of the sheet ${sheet.name}`, rows: sheet.hiddenRows })),
  ];
  const aside = others.map((sheet) => `${sheet.name}; its rows: ${sheet.rows.length}`).join(', ');
  const notes =
    aside === '' ? [] : [`sheets that do not look like reviews were not read: ${aside}`];
  if (chosen.length === 0) return [];
  return [
    {
      name,
      kind: 'Excel',
      head: {},
      rows: chosen.length === 1 ? chosen[0]!.rows : joined(chosen),
      isCorrected: false,
      notes: [...chosen.flatMap((sheet) => sheet.notes), ...notes],
      unread,
    },
  ];
}

/** Joins the rows of sheets with the same columns, and adds what the names of the sheets tell. */
function joined(sheets: readonly { name: string; rows: NumberedRow[] }[]): NumberedRow[] {
  const names = sheets.map(({ name }) => name);
  const arePlatforms = names.every((name) => isPlatform(platformNamed(name)));
  const areTimes = names.some((name) => /\d/.test(name) || monthOf(name) > 0);
  const columns = new Map(
    Object.keys(sheets[0]!.rows[0]!.row).map((column) => [column.toLowerCase(), column]),
  );
  return sheets.flatMap(({ name, rows }) =>
    rows.map((each) => {
      const cells = Object.entries(each.row).map(([column, value]) => {
        return [columns.get(column.toLowerCase()) ?? column, value] as const;
      });
      const told = areTimes ? [] : [[arePlatforms ? 'platform' : OUTER_PLACE, name] as const];
      return { ...each, sheet: name, row: Object.fromEntries([...cells, ...told]) };
    }),
  );
}
