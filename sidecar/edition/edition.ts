import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import {
  datasetMetadata,
  ReviewIds,
  reviewLines,
  type DatasetMetadata,
} from '../../src/dataset/document.ts';
import { LabelLines } from '../../src/dataset/labels.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import {
  INSIGHTS_DIGEST_PATH,
  MCP_APP_PATH,
  REVIEW_LABELS_PATH,
  REVIEWS_PATH,
} from '../../src/paths.ts';
import type { InsightsDigest } from '../../src/schema/insights-digest.ts';
import {
  indexReviews,
  SearchIndex,
  type SearchIndexSnapshot,
} from '../../src/search/search-index.ts';
import { writeAside } from '../base/write-aside.ts';
import type { AdoptedEdition } from './kept-editions.ts';
import { FileStore } from './file-store.ts';
import { SinceListings } from './since-listings.ts';
import { editionFiles } from './source.ts';
import { VerifiedFiles, type Upkeep } from './verified-files.ts';

/** An edition in memory, ready to serve. It never changes; a new one replaces it as a unit. */
export interface Edition {
  /** Digest of edition.json; the id of the dataset is `manifest.edition`. */
  digest: string;
  manifest: Manifest;
  files: FileStore;
  /** reviews.json without its reviews. */
  metadata: DatasetMetadata;
  insights: InsightsDigest;
  /** The card of the MCP App, as JSON; an edition of an earlier version has none. */
  mcpApp: Buffer | undefined;
  ids: ReviewIds;
  search: SearchIndex;
  since: SinceListings;
  /** Last-Modified of every resource, in seconds since 1970. */
  lastModified: number;
}

/**
 * Reads the documents of an adopted edition into memory and indexes the reviews.
 *
 * @param upkeep given if the folder is in DATA_DIR: damaged files are fetched again, and the
 *   index is saved there for the next start
 * @throws {DamagedFileError} if a document is damaged and cannot be fetched again
 */
export async function openEdition(
  adopted: AdoptedEdition,
  upkeep?: Upkeep,
  cacheBytes?: number,
): Promise<Edition> {
  const { digest, folder, manifest, manifestBytes } = adopted;
  const onDisk = new VerifiedFiles(folder, editionFiles(manifest), upkeep);
  const files = new FileStore(manifest, manifestBytes, onDisk, cacheBytes);
  const lines = reviewLines(await files.hold(REVIEWS_PATH));
  const insights = await files.hold(INSIGHTS_DIGEST_PATH);
  // An edition of an earlier version has no labels and no card.
  const labels = files.has(REVIEW_LABELS_PATH)
    ? new LabelLines(await files.hold(REVIEW_LABELS_PATH))
    : undefined;
  const mcpApp = files.has(MCP_APP_PATH) ? await files.hold(MCP_APP_PATH) : undefined;
  const etags = [REVIEWS_PATH, REVIEW_LABELS_PATH].map((path) => files.get(path)?.identity.etag);
  const index = () => indexReviews(lines, labels);
  const snapshot = upkeep ? await keptIndex(folder, etags.join(' '), index) : index();
  const search = new SearchIndex(lines, manifest.names, labels, snapshot);
  return {
    digest,
    manifest,
    metadata: datasetMetadata(lines),
    files,
    insights: JSON.parse(insights.toString()) as InsightsDigest,
    mcpApp,
    ids: new ReviewIds(lines),
    search,
    since: new SinceListings(search.lines, search.days),
    lastModified: Date.parse(manifest.last_modified) / 1000,
  };
}

/** Changes with the shape of a snapshot, so that those of other versions are not read. */
const INDEX_FORMAT = 4;
const SEAL_BYTES = 32;

/**
 * Reads the index of an edition from its folder, or makes it and leaves it there for the next
 * start. A file that cannot be read or written costs time, never an answer.
 *
 * @param etags of the files that are indexed; the index of others is not read
 */
export async function keptIndex(
  folder: string,
  etags: string,
  index: () => SearchIndexSnapshot,
): Promise<SearchIndexSnapshot> {
  const file = join(folder, '.search-index');
  const kept = await readFile(file).catch(() => undefined);
  if (kept?.subarray(0, SEAL_BYTES).equals(seal(etags, kept.subarray(SEAL_BYTES)))) {
    return deserialize(kept.subarray(SEAL_BYTES)) as SearchIndexSnapshot;
  }
  const snapshot = index();
  const bytes = serialize(snapshot);
  await writeAside(file, Buffer.concat([seal(etags, bytes), bytes])).catch(() => undefined);
  return snapshot;
}

/** Returns the digest of an index, its format, and the reviews it was built from. */
function seal(etags: string, bytes: Buffer): Buffer {
  const madeFor = `${INDEX_FORMAT} ${process.versions.v8} ${etags}\n`;
  return createHash('sha256').update(madeFor).update(bytes).digest();
}
