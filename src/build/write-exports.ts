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
 *
 * @returns the headers of each file, by its path
 */
export async function writeExports(
  folder: string,
  { baseUrl, dataset, insights, lines }: Publication,
): Promise<Map<string, Headers>> {
  await writeFile(join(folder, NDJSON_PATH), [...ndjson(lines)].join(''));
  await writeFile(join(folder, CSV_PATH), [...csvLines(dataset.reviews, insights)].join(''));
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
