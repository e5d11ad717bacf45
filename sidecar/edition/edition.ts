import { setImmediate as pause } from 'node:timers/promises';
import { datasetMetadata, pageSite, ReviewIds, reviewLines } from '../../src/dataset/document.ts';
import { LabelLines } from '../../src/dataset/labels.ts';
import {
  basePath,
  CHANGES_PATH,
  INSIGHTS_DIGEST_PATH,
  MCP_APP_PATH,
  REVIEW_LABELS_PATH,
  REVIEWS_PATH,
} from '../../src/paths.ts';
import type { InsightsDigest } from '../../src/schema/insights-digest.ts';
import type { ChangesDocument } from '../../src/schema/journal.ts';
import { contentUsage } from '../../src/schema/license.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import type { AdoptedEdition } from './adopt.ts';
import { FileStore, type FileCache } from './file-store.ts';
import { reviewFinder } from './review-records.ts';
import { VerifiedFiles, type Repair } from './verified-files.ts';

const NO_CHANGES: ChangesDocument = {
  head: { seq: 0, hash: null },
  complete: false,
  changes: [],
};

/**
 * An edition in memory, ready to serve. It never changes; a new one replaces it as a unit. The id of
 * its dataset is `manifest.edition`.
 */
export type Edition = Awaited<ReturnType<typeof openEdition>>;

/**
 * Reads and verifies the documents of an adopted edition that every search needs. Its files can be served;
 * the rest needs the index of the reviews.
 *
 * @param repair fetches damaged files again; absent if the folder is not in DATA_DIR
 * @throws {DamagedFileError} if a document is damaged and cannot be fetched again
 */
export async function openEdition(adopted: AdoptedEdition, repair?: Repair, cache?: FileCache) {
  const { manifest } = adopted;
  const onDisk = new VerifiedFiles(adopted.folder, repair);
  const files = new FileStore(adopted, onDisk, cache);
  const lines = reviewLines((await files.hold(REVIEWS_PATH))!);
  const insights = (await files.hold(INSIGHTS_DIGEST_PATH))!;
  const changes = await files.hold(CHANGES_PATH);
  const mcpApp = await files.hold(MCP_APP_PATH);
  const labelsBytes = await files.hold(REVIEW_LABELS_PATH);
  const labels = labelsBytes && new LabelLines(labelsBytes);
  const ids = new ReviewIds(lines);
  /** reviews.json without its reviews. */
  const metadata = datasetMetadata(lines);
  let search: SearchIndex | undefined;
  let indexing: Promise<void> | undefined;
  const index = async (): Promise<void> => {
    const { readColumns } = await import('../../src/search/review-columns.ts');
    const { SearchIndex } = await import('../../src/search/search-index.ts');
    const columns = await withPauses(readColumns(lines, labels));
    search = new SearchIndex(lines, manifest.names, labels, columns, manifest.site);
  };
  return {
    ...adopted,
    files,
    metadata,
    /** The path of the site, which every path but the probes begins with; empty at the root. */
    basePath: basePath(manifest.base_url),
    /** The part of the site that every page shows. */
    site: pageSite(metadata, manifest.base_url, manifest.site),
    contentUsage: contentUsage(metadata.license),
    insights: JSON.parse(insights.toString()) as InsightsDigest,
    /** The newest changes; none in an edition of an earlier version. */
    changes: changes ? (JSON.parse(changes.toString()) as ChangesDocument) : NO_CHANGES,
    /** The card of the MCP App, as JSON; an edition of an earlier version has none. */
    mcpApp,
    ids,
    lines,
    findReview: reviewFinder(files, lines, ids),
    /** Indexes the reviews, once, while requests are served. */
    index: () => (indexing ??= index()),
    /** @throws before the reviews are indexed */
    get search(): SearchIndex {
      if (!search) throw new Error('the reviews are not indexed yet');
      return search;
    },
    /** Last-Modified of every resource, in seconds since 1970. */
    lastModified: Date.parse(manifest.last_modified) / 1000,
  };
}

/** Does work with its pauses, in which requests are served. */
async function withPauses<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await pause();
  }
}
