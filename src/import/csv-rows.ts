import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse, type CsvError } from 'csv-parse';
import type { NumberedRow, Row } from './draft.ts';

export async function* csvRows(
  name: string,
  start: string,
  chunks: AsyncIterable<string>,
): AsyncGenerator<NumberedRow> {
  const parser = parse({
    columns: columnNames,
    delimiter: delimiterOf(start),
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  // An error destroys the parser with it, so the loop below throws it.
  pipeline(Readable.from(chunks), parser).catch(() => {});
  let number = 1;
  try {
    for await (const row of parser as AsyncIterable<Row>) yield { number: ++number, row };
  } catch (error) {
    throw new Error(`${name}: after row ${number}: ${reasonOf(error as CsvError)}`, {
      cause: error,
    });
  }
}

function reasonOf({ code, message, lines }: CsvError): string {
  if (code !== 'CSV_QUOTE_NOT_CLOSED') return message;
  const line = /at line (\d+)/.exec(message)?.[1] ?? lines;
  return `the quotation mark of line ${line} is never closed: the file may have been cut short, so export it again`;
}

function columnNames(header: string[]): string[] {
  const used = new Set<string>();
  return header.map((title, index) => {
    const name = title.trim().toLowerCase() || `column ${index + 1}`;
    const unique = used.has(name) ? `${name} ${index + 1}` : name;
    used.add(unique);
    return unique;
  });
}

/** The most frequent separator of the header: spreadsheets in Europe write semicolons. */
function delimiterOf(start: string): string {
  const header = start
    .trimStart()
    .split(/\r?\n/, 1)[0]!
    .replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best));
}
