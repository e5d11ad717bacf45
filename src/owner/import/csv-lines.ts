import { parse, type CsvError } from 'csv-parse/sync';
import { boundOf, maximum } from './bounds.ts';

/** Reads the cells of CSV. @throws in one line where quotation marks leave no reading */
export function readCsvLines(name: string, given: string): { lines: string[][]; notes: string[] } {
  // Excel adds a first line of its own.
  const stated = /^\ufeff?sep=([^"\r\n])(?:\r\n?|\n)/.exec(given);
  const text = given.slice(stated?.[0].length ?? 0);
  const delimiter = stated?.[1] ?? delimiterOf(text);
  boundOf('cells', countOf(text, delimiter), name);
  const read = (words: string, isRelaxed = false): string[][] =>
    parse(words, {
      bom: true,
      delimiter,
      max_record_size: maximum('cell'),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: isRelaxed,
      to: maximum('rows') + 2,
    });
  let found: { lines: string[][]; notes: string[] } | undefined;
  try {
    found = { lines: read(text), notes: [] };
  } catch (error) {
    found = readAlmostCsv(text, read);
    if (!found) throw new Error(`${name}: ${reasonOf(error as CsvError)}`, { cause: error });
  }
  refuseRowsInTexts(name, found.lines, delimiter);
  return found;
}

type Read = (words: string, isRelaxed?: boolean) => string[][];

/** Reads almost-CSV in the ways that count only if all rows then have the same number of columns. */
function readAlmostCsv(
  text: string,
  read: Read,
): { lines: string[][]; notes: string[] } | undefined {
  const hasBackslashes = text.includes(String.raw`\"`) && countOf(text, '\\') < maximum('cells');
  const mysql = hasBackslashes
    ? attempt(() => read(text.replaceAll(/\\([^])/g, (_, escaped) => unescaped(escaped))))
    : undefined;
  if (mysql && areAlike(mysql)) {
    const note = 'it has backslashes before quotation marks and was read as MySQL writes it';
    return { lines: mysql, notes: [note] };
  }
  const lines = attempt(() => read(text, true));
  const isUnsure = (cell: string) => cell.includes('"') && /[\r\n]|\\"/.test(cell);
  // A mark that is never closed would make one review of two.
  if (!lines || !areAlike(lines) || lines.some((cells) => cells.some(isUnsure))) return undefined;
  const isQuoted = /^\ufeff?"/.test(text);
  const plain = (cell: string) => (isQuoted ? (/^"(.*)"$/s.exec(cell)?.[1] ?? cell) : cell);
  const note = 'it has unescaped quotation marks, which were read as part of the text';
  return { lines: lines.map((cells) => cells.map(plain)), notes: [note] };
}

/** Throws for a text that has rows of the table as lines: its quotation mark was closed too late. */
function refuseRowsInTexts(name: string, lines: readonly string[][], delimiter: string): void {
  const shapeOf = (cell = '') => cell.replaceAll(/\d/g, '0');
  for (const [index, cells] of lines.entries()) {
    if (!cells.some((cell) => /[\r\n]/.test(cell))) continue;
    const inner = cells.flatMap((cell) => cell.split(/[\r\n]+/).slice(1));
    const isRow = inner.some((line) => {
      const parts = line.split(delimiter);
      const alike = parts.filter(
        (part, at) => /\d/.test(part) && shapeOf(part) === shapeOf(cells[at]),
      );
      return parts.length === cells.length && alike.length > 1;
    });
    if (!isRow) continue;
    throw new Error(
      `${name}: row ${index + 1} has other rows inside a text: a quotation mark is missing or extra: ` +
        'export it again, or correct it in a spreadsheet',
    );
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function unescaped(character: string): string {
  return { '"': '""', N: '', n: '\n', r: '\r', t: '\t' }[character] ?? character;
}

/** Returns true if all lines have the same number of cells, from the first of the widest ones on. */
function areAlike(lines: readonly string[][]): boolean {
  const width = lines.reduce((widest, { length }) => Math.max(widest, length), 0);
  const top = lines.findIndex(({ length }) => length === width);
  return lines.slice(top).every(({ length }, index, all) => {
    const isEmpty = length === 1 && all[index]![0]!.trim() === '';
    return length === width || isEmpty;
  });
}

function reasonOf({ code, message, lines, records }: CsvError): string {
  const line = /at line (\d+)/.exec(message)?.[1] ?? String(lines);
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return `after row ${records}: the quotation mark of line ${line} is never closed: the file may have been cut short, so export it again`;
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `row ${Number(records) + 1} is larger than 1 MiB: a quotation mark may not be closed`;
  }
  return `line ${line}: an unescaped quotation mark moves its columns: export it as .xlsx or JSON, or write the mark twice`;
}

/**
 * Returns the separator that gives most lines the same number of cells, and of several the one that
 * gives the most: spreadsheets in Europe write semicolons, and commas in numbers.
 */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, maximum('cell'))
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r\n?|\n/);
  const scores = [',', ';', '\t', '|'].map((delimiter) => {
    const widths = Map.groupBy(lines, (line) => countOf(line, delimiter));
    widths.delete(0);
    const [[width, alike] = [0, []]] = [...widths].sort(
      ([one, a], [other, b]) => b.length - a.length || other - one,
    );
    return { delimiter, width, alike: alike.length };
  });
  scores.sort((a, b) => b.alike - a.alike || b.width - a.width);
  return scores[0]!.delimiter;
}

function countOf(text: string, delimiter: string): number {
  let count = 0;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) count++;
  return count;
}
