import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { ReviewLines } from '../../src/dataset/document.ts';
import { indexReviews, type SearchIndexSnapshot } from '../../src/search/search-index.ts';

/** Changes with the shape of a snapshot, so that another version's is not read. */
const FORMAT = 2;

/**
 * The index of an adopted edition: read from beside it, or made and left there for the next start.
 * A cache that cannot be read or written costs time, never an answer.
 */
export async function cachedIndex(
  folder: string,
  lines: ReviewLines,
): Promise<SearchIndexSnapshot> {
  const file = join(folder, `.search-index-${FORMAT}`);
  const cached = await readFile(file).catch(() => undefined);
  if (cached) {
    try {
      const snapshot = deserialize(cached) as SearchIndexSnapshot;
      if (snapshot.days.length === lines.count) return snapshot;
    } catch {
      // torn or damaged: it is made anew below
    }
  }
  const snapshot = indexReviews(lines);
  const staging = `${file}.${process.pid}`;
  await writeFile(staging, serialize(snapshot))
    .then(() => rename(staging, file))
    .catch(() => undefined);
  return snapshot;
}
