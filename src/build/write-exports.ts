import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvLines } from '../dataset/csv.ts';
import { ndjson } from '../dataset/document.ts';
import { dataHeaders } from '../http.ts';
import {
  CSV_PATH,
  CSV_TYPE,
  NDJSON_PATH,
  NDJSON_TYPE,
  SQLITE_PATH,
  SQLITE_TYPE,
} from '../paths.ts';
import type { Publication } from './publication.ts';
import { writeSqlite } from './write-sqlite.ts';

/**
 * Writes the reviews for the tools that people have: as lines, as a spreadsheet, as a database.
 * They go to the disk piece by piece, so that none of them is in memory as a whole.
 *
 * @returns the headers of each file, by its path
 */
export async function writeExports(
  folder: string,
  { baseUrl, dataset, insights, lines }: Publication,
): Promise<Map<string, Headers>> {
  await writeFile(join(folder, NDJSON_PATH), inPieces(ndjson(lines)));
  await writeFile(join(folder, CSV_PATH), inPieces(csvLines(dataset.reviews, insights)));
  writeSqlite(join(folder, SQLITE_PATH), dataset, insights, {
    business: dataset.business.name,
    site: `${baseUrl}/`,
    edition: dataset.edition,
    updated_at: dataset.updated_at,
    license: dataset.license.url,
    terms: dataset.license.terms,
  });
  return new Map([
    [NDJSON_PATH, new Headers(dataHeaders(NDJSON_TYPE))],
    [CSV_PATH, downloadHeaders(CSV_TYPE, CSV_PATH)],
    [SQLITE_PATH, downloadHeaders(SQLITE_TYPE, SQLITE_PATH)],
  ]);
}

/** Returns headers by which browsers save a file (RFC 6266) instead of showing it. */
function downloadHeaders(type: string, path: string): Headers {
  const disposition = `attachment; filename="${path.slice(1)}"`;
  return new Headers({ ...dataHeaders(type), 'content-disposition': disposition });
}

const PIECE_LENGTH = 1_000_000;

/** Joins short pieces, because each one is written to the disk on its own. */
function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece: string[] = [];
  let length = 0;
  for (const text of texts) {
    piece.push(text);
    length += text.length;
    if (length < PIECE_LENGTH) continue;
    yield piece.join('');
    piece = [];
    length = 0;
  }
  yield piece.join('');
}
