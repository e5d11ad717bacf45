import { importFiles, type ImportOptions, type ImportResult } from '../import/import-files.ts';
import { readDatasetFiles } from '../dataset-files.ts';
import { lockDataset } from '../locked-dataset.ts';
import { ApiError } from '../json-api.ts';
import type { Listing } from './listing.ts';
import type { Row } from '../import/rows.ts';
import type { ExportFile } from '../import/tables.ts';

/** A hundred thousand reviews, at the fewest on a page; an API that goes on is not to be believed. */
const MOST_PAGES = 5_000;

/**
 * Brings content/ up to date with all listings of a platform. What the API returns goes through the
 * same import as export files, so nothing is written before all of it was read. The dataset is locked
 * only then: waiting for an API keeps no other command out.
 *
 * @returns undefined when there are no reviews, so that there is nothing to import
 */
export async function syncPlatform(
  listings: readonly Listing[],
  options: Pick<ImportOptions, 'contentDir' | 'now' | 'withdraw' | 'dryRun'>,
): Promise<ImportResult | undefined> {
  const { contentDir } = options;
  // Fails before the download if another command has the dataset.
  lockDataset(contentDir)[Symbol.dispose]();
  const { imports } = await readDatasetFiles(contentDir);
  const files: ExportFile[] = [];
  for (const listing of listings) {
    const document = await download(listing);
    if (document.reviews.length > 0) {
      files.push({ name: listing.file, bytes: Buffer.from(JSON.stringify(document)) });
    } else if (imports.some(({ file }) => file === listing.file)) {
      throw new ApiError(
        `${listing.platform} returns none of the reviews that ${listing.file} had: sync again later`,
      );
    }
  }
  return files.length === 0 ? undefined : importFiles(files, { ...options, isRoutine: true });
}

/** Returns the reviews of a listing as the API returned them, each once, in the form of an export. */
async function download(listing: Listing): Promise<{ reviews: Row[]; totalReviewCount?: number }> {
  const reviews = new Map<unknown, Row>();
  let total: number | undefined;
  let pages = 0;
  for await (const page of listing.pages()) {
    if (++pages > MOST_PAGES) {
      throw new ApiError(`${listing.platform} returned more than ${MOST_PAGES} pages`);
    }
    total ??= page.totalReviewCount;
    for (const review of page.reviews) {
      const key = review.reviewId ?? review.id;
      if (!reviews.has(key)) reviews.set(key, review);
    }
  }
  return {
    reviews: [...reviews.values()],
    ...(total !== undefined && { totalReviewCount: total }),
  };
}
