import { importFiles, type ImportOptions, type ImportResult } from '../import/import-files.ts';
import { readDatasetFiles, type DatasetFiles } from '../dataset-files.ts';
import { lockDataset } from '../locked-dataset.ts';
import { ApiError } from '../json-api.ts';
import type { Listing } from './listing.ts';
import { readDraft, type Row } from '../import/draft.ts';
import { recognize } from '../import/formats.ts';
import { digestOf } from '../import/candidate.ts';

/** A hundred thousand reviews, at the fewest on a page; an API that goes on is not to be believed. */
const MOST_PAGES = 5_000;

export interface SyncOptions extends Pick<
  ImportOptions,
  'contentDir' | 'now' | 'withdraw' | 'dryRun'
> {
  /** Reads every review, so that deletions and late replies show. */
  full?: boolean | undefined;
}

export interface SyncResult {
  listing: Listing;
  /** True when every review of the listing was read. */
  full: boolean;
  /** Undefined when the listing has no reviews, so that there is nothing to import. */
  imported: ImportResult | undefined;
}

/**
 * Brings content/ up to date with one listing. What the API returns goes through the same
 * import as an export file, so nothing is written before all of it was read. The dataset is locked
 * only then: waiting for an API keeps no other command out.
 */
export async function syncListing(listing: Listing, options: SyncOptions): Promise<SyncResult> {
  const { contentDir } = options;
  // Fails before the download if another command has the dataset.
  lockDataset(contentDir)[Symbol.dispose]();
  const files = await readDatasetFiles(contentDir);
  const isFirst = !files.imports.some((record) => record.file === listing.file);
  const full = options.full === true || isFirst;
  const { reviews, total, complete } = await downloadReviews(listing, files, full);
  if (reviews.length === 0) return { listing, full, imported: undefined };
  const document = { reviews, ...(total !== undefined && { totalReviewCount: total }) };
  const file = { name: listing.file, bytes: Buffer.from(JSON.stringify(document)) };
  const imported = await importFiles([file], { ...options, isPart: !complete, isRoutine: true });
  return { listing, full: complete, imported };
}

/**
 * Returns reviews as the API returned them, each once. Unless all are wanted, the first page without
 * anything new is the last: pages begin with what changed last.
 */
async function downloadReviews(
  listing: Listing,
  files: DatasetFiles,
  full: boolean,
): Promise<{ reviews: Row[]; total: number | undefined; complete: boolean }> {
  const isKnown = knownReviews(files, listing.source);
  const reviews = new Map<unknown, Row>();
  let total: number | undefined;
  let pages = 0;
  for await (const page of listing.pages({ full })) {
    if (++pages > MOST_PAGES) {
      throw new ApiError(`${listing.platform} returned more than ${MOST_PAGES} pages`);
    }
    total ??= page.total;
    for (const review of page.reviews) {
      const key = review.reviewId ?? review.id;
      if (!reviews.has(key)) reviews.set(key, review);
    }
    if (!full && page.reviews.every(isKnown)) {
      return { reviews: [...reviews.values()], total, complete: false };
    }
  }
  return { reviews: [...reviews.values()], total, complete: true };
}

/**
 * Returns a function that tells whether a row of an API brings nothing new: content/ has the review in
 * this version, or it was withdrawn from there.
 */
function knownReviews({ reviews, withdrawn }: DatasetFiles, source: string): (row: Row) => boolean {
  const records = reviews.map(({ value }) => value).filter((record) => record.source === source);
  const digests = new Map(records.map((record) => [record.source_id, record.source_digest]));
  const gone = withdrawn.filter((tombstone) => tombstone.source === source);
  const withdrawnIds = new Set(gone.map((tombstone) => tombstone.source_id));
  return (row) => {
    const format = recognize([row]);
    if (!format) return true;
    const draft = readDraft(row, format);
    if ('reason' in draft || draft.record.source_id === undefined) return true;
    const { source_id: id } = draft.record;
    return withdrawnIds.has(id) || digests.get(id) === digestOf(draft.record);
  };
}
