import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { datasetHead, reviewLines } from '../../src/dataset/document.ts';
import { SearchIndex } from '../../src/dataset/search/search-index.ts';
import { quoteDigest, sha256 } from '../../src/edition/etag.ts';
import { MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { REVIEWS_PATH } from '../../src/edition/paths.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { AdoptedEdition } from './adopt.ts';
import { FileStore } from './file-store.ts';
import { cachedIndex } from './index-cache.ts';
import { SinceListings } from './since-listings.ts';

/** One edition, ready to answer everything; replaced as a whole, never changed. */
export interface Edition {
  id: string;
  manifest: Manifest;
  /** reviews.json without its reviews. */
  head: Omit<ReviewsDataset, 'reviews'>;
  files: FileStore;
  search: SearchIndex;
  since: SinceListings;
  /** Seconds since 1970, of every resource. */
  lastModified: number;
}

/**
 * Reads what the sidecar needs of an adopted edition into memory and indexes it.
 *
 * @throws when reviews.json is absent or not what the manifest says
 */
export async function openEdition(adopted: AdoptedEdition): Promise<Edition> {
  const { id, folder, manifest, manifestBytes } = adopted;
  const resource = manifest.resources.find(({ path }) => path === REVIEWS_PATH);
  if (!resource) throw new Error(`${MANIFEST_FILE} names no ${REVIEWS_PATH}`);
  const bytes = await readFile(join(folder, resource.file));
  if (quoteDigest(sha256(bytes)) !== resource.etag) {
    throw new Error(`${join(folder, resource.file)} is damaged: remove the folder and start again`);
  }
  const lines = reviewLines(bytes);
  const search = new SearchIndex(lines, manifest.names, await cachedIndex(folder, lines));
  const files = new FileStore(folder, manifest, manifestBytes);
  files.keep(resource.file, bytes);
  return {
    id,
    manifest,
    head: datasetHead(lines),
    files,
    search,
    since: new SinceListings(search.lines, search.days),
    lastModified: Date.parse(manifest.last_modified) / 1000,
  };
}
