import {
  datasetMetadata,
  pageSite,
  ReviewIds,
  reviewLines,
  type DatasetMetadata,
  type ReviewLines,
} from '../../src/dataset/document.ts';
import { LabelLines } from '../../src/dataset/labels.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import {
  CHANGES_PATH,
  INSIGHTS_DIGEST_PATH,
  MCP_APP_PATH,
  REVIEW_LABELS_PATH,
  REVIEWS_PATH,
} from '../../src/paths.ts';
import type { InsightsDigest } from '../../src/schema/insights-digest.ts';
import type { ChangesDocument } from '../../src/schema/journal.ts';
import { indexReviews, SearchIndex, type IndexedReviews } from '../../src/search/search-index.ts';
import { inTurns } from '../base/in-turns.ts';
import type { AdoptedEdition } from './kept-editions.ts';
import { FileStore } from './file-store.ts';
import { ReviewRecords } from './review-records.ts';
import { filesOf, type EditionFile } from './source.ts';
import { VerifiedFiles, type Upkeep } from './verified-files.ts';

const NO_CHANGES: ChangesDocument = {
  head: { seq: 0, hash: null },
  complete: false,
  changes: [],
};

/** An edition in memory, ready to serve. It never changes; a new one replaces it as a unit. */
export interface Edition {
  /** Digest of edition.json; the id of the dataset is `manifest.edition`. */
  digest: string;
  manifest: Manifest;
  files: FileStore;
  /** reviews.json without its reviews. */
  metadata: DatasetMetadata;
  /** The part of the site that every page shows. */
  site: ReturnType<typeof pageSite>;
  insights: InsightsDigest;
  /** The newest changes; none in an edition of an earlier version. */
  changes: ChangesDocument;
  /** The card of the MCP App, as JSON; an edition of an earlier version has none. */
  mcpApp: Buffer | undefined;
  ids: ReviewIds;
  reviews: ReviewRecords;
  search: SearchIndex;
  /** Last-Modified of every resource, in seconds since 1970. */
  lastModified: number;
}

/** Opens an adopted edition; see {@link readDocuments}. */
export async function openEdition(
  adopted: AdoptedEdition,
  upkeep?: Upkeep,
  cacheBytes?: number,
): Promise<Edition> {
  return createEdition(adopted, await readDocuments(adopted, upkeep), upkeep, cacheBytes);
}

/** Creates an edition from documents in memory. It takes milliseconds, whatever their size. */
export function createEdition(
  { digest, folder, manifest, manifestBytes, signatureBytes }: AdoptedEdition,
  { reviews, labels, insights, changes, mcpApp, index }: EditionDocuments,
  upkeep?: Upkeep,
  cacheBytes?: number,
): Edition {
  const onDisk = new VerifiedFiles(folder, upkeep);
  const files = new FileStore(manifest, { manifestBytes, signatureBytes }, onDisk, cacheBytes);
  files.hold(REVIEWS_PATH, reviews.bytes);
  files.hold(INSIGHTS_DIGEST_PATH, insights);
  if (labels) files.hold(REVIEW_LABELS_PATH, labels.bytes);
  if (mcpApp) files.hold(MCP_APP_PATH, mcpApp);
  const search = new SearchIndex(reviews, manifest.names, labels && new LabelLines(labels), index);
  const ids = new ReviewIds(reviews);
  const metadata = datasetMetadata(reviews);
  return {
    digest,
    manifest,
    metadata,
    site: pageSite(metadata, manifest.base_url, manifest.site),
    files,
    insights: JSON.parse(insights.toString()) as InsightsDigest,
    changes: changes ? (JSON.parse(changes.toString()) as ChangesDocument) : NO_CHANGES,
    mcpApp,
    ids,
    reviews: new ReviewRecords(files, reviews, ids),
    search,
    lastModified: Date.parse(manifest.last_modified) / 1000,
  };
}

/** The documents of an edition that every search needs, and their index. */
export interface EditionDocuments {
  reviews: ReviewLines;
  insights: Buffer;
  /** Undefined in an edition of an earlier version, like the next one. */
  labels: ReviewLines | undefined;
  changes: Buffer | undefined;
  /** The card of the MCP App. */
  mcpApp: Buffer | undefined;
  index: IndexedReviews;
}

/**
 * Reads the documents of an adopted edition and indexes the reviews. Requests are served meanwhile.
 *
 * @param upkeep given if the folder is in DATA_DIR: damaged files are fetched again
 * @throws {DamagedFileError} if a document is damaged and cannot be fetched again
 */
export async function readDocuments(
  { folder, manifest }: AdoptedEdition,
  upkeep?: Upkeep,
): Promise<EditionDocuments> {
  const onDisk = new VerifiedFiles(folder, upkeep);
  const find = (wanted: string): EditionFile | undefined => {
    const resource = manifest.resources.find(({ path }) => path === wanted);
    return resource && filesOf(resource)[0];
  };
  const read = async (file: EditionFile | undefined) => file && onDisk.read(file);
  const reviews = reviewLines((await read(find(REVIEWS_PATH)))!);
  const insights = (await read(find(INSIGHTS_DIGEST_PATH)))!;
  const changes = await read(find(CHANGES_PATH));
  const mcpApp = await read(find(MCP_APP_PATH));
  const labelsBytes = await read(find(REVIEW_LABELS_PATH));
  const labels = labelsBytes && reviewLines(labelsBytes);
  const index = await inTurns(indexReviews(reviews, labels && new LabelLines(labels)));
  return { reviews, insights, labels, changes, mcpApp, index };
}
