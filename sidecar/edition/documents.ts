import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { reviewLines, type ReviewLines } from '../../src/dataset/document.ts';
import { LabelLines } from '../../src/dataset/labels.ts';
import {
  INSIGHTS_DIGEST_PATH,
  MCP_APP_PATH,
  REVIEW_LABELS_PATH,
  REVIEWS_PATH,
} from '../../src/paths.ts';
import { indexReviews, type SearchIndexSnapshot } from '../../src/search/search-index.ts';
import { writeAside } from '../base/write-aside.ts';
import type { AdoptedEdition } from './kept-editions.ts';
import { editionFiles, type EditionFile } from './source.ts';
import { VerifiedFiles, type Upkeep } from './verified-files.ts';

/**
 * The documents of an edition that every search needs, and their index: plain data, so that a
 * worker can read it and hand it over.
 */
export interface EditionDocuments {
  reviews: ReviewLines;
  insights: Buffer;
  /** Undefined in an edition of an earlier version, like the next one. */
  labels: ReviewLines | undefined;
  /** The card of the MCP App. */
  mcpApp: Buffer | undefined;
  index: SearchIndexSnapshot;
}

/**
 * Reads the documents of an adopted edition and indexes the reviews.
 *
 * @param upkeep given if the folder is in DATA_DIR: damaged files are fetched again, and the
 *   index is saved there for the next start
 * @throws {DamagedFileError} if a document is damaged and cannot be fetched again
 */
export async function readDocuments(
  { folder, manifest }: AdoptedEdition,
  upkeep?: Upkeep,
): Promise<EditionDocuments> {
  const files = editionFiles(manifest);
  const onDisk = new VerifiedFiles(folder, files, upkeep);
  const find = (wanted: string) =>
    files.find(({ path, encoding }) => path === wanted && encoding === undefined);
  const read = async (file: EditionFile | undefined) => file && onDisk.read(file.file);
  const reviewsFile = find(REVIEWS_PATH)!;
  const labelsFile = find(REVIEW_LABELS_PATH);
  const reviews = reviewLines((await read(reviewsFile))!);
  const insights = (await read(find(INSIGHTS_DIGEST_PATH)))!;
  const mcpApp = await read(find(MCP_APP_PATH));
  const labelsBytes = await read(labelsFile);
  const labels = labelsBytes && reviewLines(labelsBytes);
  const make = () => indexReviews(reviews, labels && new LabelLines(labels));
  const digests = `${reviewsFile.digest} ${labelsFile?.digest}`;
  const index = upkeep ? await keptIndex(folder, digests, make) : make();
  return { reviews, insights, labels, mcpApp, index };
}

/** Changes with the shape of a snapshot, so that those of other versions are not read. */
const INDEX_FORMAT = 6;
const SEAL_BYTES = 32;

/**
 * Reads the index of an edition from its folder, or makes it and leaves it there for the next
 * start. A file that cannot be read or written costs time, never an answer.
 *
 * @param digests of the files that are indexed; the index of others is not read
 */
export async function keptIndex(
  folder: string,
  digests: string,
  index: () => SearchIndexSnapshot,
): Promise<SearchIndexSnapshot> {
  const file = join(folder, '.search-index');
  const kept = await readFile(file).catch(() => undefined);
  if (kept?.subarray(0, SEAL_BYTES).equals(seal(digests, kept.subarray(SEAL_BYTES)))) {
    return deserialize(kept.subarray(SEAL_BYTES)) as SearchIndexSnapshot;
  }
  const snapshot = index();
  const bytes = serialize(snapshot);
  await writeAside(file, Buffer.concat([seal(digests, bytes), bytes])).catch(() => undefined);
  return snapshot;
}

/** Returns the digest of an index, its format, and the reviews it was built from. */
function seal(digests: string, bytes: Buffer): Buffer {
  const madeFor = `${INDEX_FORMAT} ${process.versions.v8} ${digests}\n`;
  return createHash('sha256').update(madeFor).update(bytes).digest();
}
