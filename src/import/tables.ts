import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as yauzl from 'yauzl';
import type { NumberedRow } from './draft.ts';
import { isJsonLines, jsonLinesRows, jsonRows } from './json-rows.ts';
import { csvRows } from './csv-rows.ts';
import { decoded, type DecodingOptions } from './decode.ts';

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
