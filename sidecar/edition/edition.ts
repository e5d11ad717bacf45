import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  reviewLines,
  datasetHead,
  type DatasetHead,
  ReviewIds,
} from '../../src/dataset/document.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { quoteDigest, sha256 } from '../../src/edition/etag.ts';
import { MANIFEST_FILE, pathInside, type Manifest } from '../../src/edition/manifest.ts';
import { INSIGHTS_DIGEST_PATH, REVIEWS_PATH } from '../../src/paths.ts';
import type { InsightsDigest } from '../../src/schema/insights-digest.ts';
import type { AdoptedEdition } from './adopt.ts';
import { DamagedEditionError } from './damaged-edition-error.ts';
import { FileStore } from './file-store.ts';
import { cachedIndex } from './index-cache.ts';
import { SinceListings } from './since-listings.ts';
import { editionFiles } from './source.ts';

/** One edition, ready to answer everything; replaced as a whole, never changed. */
export interface Edition {
  id: string;
  manifest: Manifest;
  files: FileStore;
  /** reviews.json without its reviews. */
  head: DatasetHead;
  insights: InsightsDigest;
  ids: ReviewIds;
  search: SearchIndex;
  since: SinceListings;
  /** Seconds since 1970, of every resource. */
  lastModified: number;
}

/**
 * Reads what the sidecar needs of an adopted edition into memory and indexes it. Files that stay on
 * the disk are believed when they have the size that they should have.
 *
 * @throws {DamagedEditionError} when a file is absent or not what the manifest says
 */
export async function openEdition(adopted: AdoptedEdition): Promise<Edition> {
  const { id, folder, manifest, manifestBytes } = adopted;
  checkSizes(adopted);
  const files = new FileStore(folder, manifest, manifestBytes);
  const bytes = await readVerified(adopted, REVIEWS_PATH, files);
  const digest = await readVerified(adopted, INSIGHTS_DIGEST_PATH, files);
  const lines = reviewLines(bytes);
  const search = new SearchIndex(lines, manifest.names, await cachedIndex(folder, lines));
  return {
    id,
    manifest,
    head: datasetHead(lines),
    files,
    insights: JSON.parse(digest.toString()) as InsightsDigest,
    ids: new ReviewIds(lines),
    search,
    since: new SinceListings(search.lines, search.days),
    lastModified: Date.parse(manifest.last_modified) / 1000,
  };
}

function checkSizes({ folder, manifest }: AdoptedEdition): void {
  for (const { file, size } of editionFiles(manifest)) {
    const path = pathInside(folder, file);
    // Sync: thousands of files in a quarter of the time, which every start waits for.
    if (statSync(path, { throwIfNoEntry: false })?.size !== size) {
      throw new DamagedEditionError(`${path} is not of the size that ${MANIFEST_FILE} says`);
    }
  }
}

/** The bytes of a file that stays in memory. */
async function readVerified(
  { folder, manifest }: AdoptedEdition,
  path: string,
  files: FileStore,
): Promise<Buffer> {
  const resource = manifest.resources.find((resource) => resource.path === path);
  if (!resource) throw new Error(`${MANIFEST_FILE} names no ${path}`);
  const file = pathInside(folder, resource.file);
  const bytes = await readFile(file);
  if (quoteDigest(sha256(bytes)) !== resource.etag) {
    throw new DamagedEditionError(`${file} is not the file of ${MANIFEST_FILE}`);
  }
  files.keep(resource.file, bytes);
  return bytes;
}
