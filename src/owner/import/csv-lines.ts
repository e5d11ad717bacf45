import { parse, type CsvError } from 'csv-parse/sync';
import { boundOf, most } from './bounds.ts';

/** Reads the cells of CSV. @throws in one line where quotation marks leave no reading */
export function readCsvLines(name: string, given: string): { lines: string[][]; notes: string[] } {
  // Excel writes a first line for itself.
  const stated = /^\ufeff?sep=([^"\r\n])(?:\r\n?|\n)/.exec(given);
  const text = given.slice(stated?.[0].length ?? 0);
  const delimiter = stated?.[1] ?? delimiterOf(text);
  boundOf('cells', countOf(text, delimiter), name);
  const read = (words: string, isRelaxed = false): string[][] =>
    parse(words, {
      bom: true,
      delimiter,
      max_record_size: most('cell'),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: isRelaxed,
      to: most('rows') + 2,
    });
  try {
    return { lines: read(text), notes: [] };
  } catch (error) {
    for (const reading of READINGS) {
      const lines = reading.read(text, read);
      if (lines && areAlike(lines)) return { lines, notes: [reading.note] };
    }
    throw new Error(`${name}: ${reasonOf(error as CsvError)}`, { cause: error });
  }
}

type Read = (words: string, isRelaxed?: boolean) => string[][];

/** Ways to read what is no CSV by the book. They count only if all rows then have the same columns. */
const READINGS: {
  note: string;
  read: (text: string, read: Read) => string[][] | undefined;
}[] = [
  {
    note: 'it has backslashes before quotation marks and was read as MySQL writes it',
    read: (text, read) =>
      text.includes(String.raw`\"`)
        ? orNothing(() => read(text.replaceAll(/\\([^])/g, (_, escaped) => unescaped(escaped))))
        : undefined,
  },
  {
    note: 'it has quotation marks that are not written twice: they were read as part of the text',
    read: (text, read) => {
      const lines = orNothing(() => read(text, true));
      const isUnsure = (cell: string) => cell.includes('"') && /[\r\n]|\\"/.test(cell);
      // A mark that is never closed would make one review of two.
      if (!lines || lines.some((cells) => cells.some(isUnsure))) return undefined;
      const isQuoted = /^\ufeff?"/.test(text);
      return isQuoted
        ? lines.map((cells) => cells.map((cell) => /^"(.*)"$/s.exec(cell)?.[1] ?? cell))
        : lines;
    },
  },
];

function orNothing(read: () => string[][]): string[][] | undefined {
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
  const width = lines.reduce((most, { length }) => Math.max(most, length), 0);
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
  return `line ${line}: a quotation mark inside a text is not written twice, so its columns cannot be told apart: open the file in a spreadsheet and save it as .xlsx, or export it as JSON`;
}

/**
 * Returns the separator that gives most lines the same number of cells, and of several the one that
 * gives the most: spreadsheets in Europe write semicolons, and commas in numbers.
 */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, most('cell'))
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
