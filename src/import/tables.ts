import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as yauzl from 'yauzl';
import type { NumberedRow, Row } from './draft.ts';
import { isJsonLines, jsonLinesRows, jsonRows } from './json-rows.ts';
import { parse, type CsvError } from 'csv-parse';

/** One table of reviews: a file, or one of several inside a zip archive. */
export interface Table {
  /** As messages name it. */
  name: string;
  kind: 'CSV' | 'JSON' | 'JSONL';
  rows: AsyncIterable<NumberedRow>;
  /** The rest of a JSON document besides its reviews; complete once the rows are read. */
  head: Readonly<Record<string, unknown>>;
}

/** Opens an export file and finds the tables in it by their content. */
export async function* tablesOf(
  file: string,
  options: DecodingOptions = {},
): AsyncGenerator<Table> {
  if (!(await isZip(file))) {
    yield await tableOf(basename(file), createReadStream(file), options);
    return;
  }
  let found = false;
  for await (const { name, stream } of zipEntries(file)) {
    found = true;
    yield await tableOf(`${basename(file)}/${name}`, stream, options);
  }
  if (!found) throw new Error(`${basename(file)}: the archive has no reviews*.json`);
}

/** Hashes a file as provenance records state it. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function isZip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50;
  } finally {
    await handle.close();
  }
}

const MAX_ENTRY_BYTES = 2 ** 32;

/** Folders of a Takeout archive have translated names; its files have not. */
async function* zipEntries(file: string): AsyncGenerator<{ name: string; stream: Readable }> {
  const zip = await yauzl.openPromise(file);
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.split('/').at(-1)!;
      if (!/^reviews[^/]*\.json$/i.test(name)) continue;
      if (entry.uncompressedSize > MAX_ENTRY_BYTES) {
        throw new Error(`${basename(file)}/${entry.fileName}: is larger than 4 GiB`);
      }
      yield { name: entry.fileName, stream: await zip.openReadStreamPromise(entry) };
    }
  } finally {
    zip.close();
  }
}

const SNIFFED_CHARACTERS = 64 * 1024;

async function tableOf(name: string, bytes: Readable, options: DecodingOptions): Promise<Table> {
  const text = decoded(name, bytes, options);
  let start = '';
  while (start.length < SNIFFED_CHARACTERS) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
  }
  const chunks = concat(start, text);
  const first = start.trimStart()[0];
  if (first === undefined) throw new Error(`${name}: is empty`);
  const head: Record<string, unknown> = {};
  if (first !== '{' && first !== '[')
    return { name, kind: 'CSV', head, rows: csvRows(name, start, chunks) };
  return isJsonLines(start)
    ? { name, kind: 'JSONL', head, rows: jsonLinesRows(name, chunks, head) }
    : { name, kind: 'JSON', head, rows: jsonRows(name, chunks, head) };
}

async function* concat(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* csvRows(
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

interface DecodingOptions {
  /** Label of the encoding, for text files that are not Unicode. */
  encoding?: string | undefined;
  /** Takes the number of bytes read so far. */
  onProgress?: (bytes: number) => void;
}

/** Decodes UTF-8 or UTF-16, with a byte order mark or without. @throws at bytes of neither */
async function* decoded(
  name: string,
  bytes: Readable,
  { encoding, onProgress }: DecodingOptions,
): AsyncGenerator<string, undefined> {
  let decoder: TextDecoder | undefined;
  let read = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      decoder ??= new TextDecoder(encoding ?? encodingOf(chunk), { fatal: true });
      read += chunk.length;
      onProgress?.(read);
      yield decoder.decode(chunk, { stream: true });
    }
    if (decoder) yield decoder.decode();
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new Error(
      encoding === undefined
        ? `${name}: is not valid UTF-8: if Excel saved it, say --encoding windows-1252`
        : `${name}: cannot be read as ${encoding}`,
      { cause: error },
    );
  }
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] !== 0 && start[1] === 0) return 'utf-16le';
  if (start[0] === 0 && start[1] !== 0) return 'utf-16be';
  return 'utf-8';
}
