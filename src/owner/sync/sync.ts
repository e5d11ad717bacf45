import { importFiles, type ImportOptions, type ImportResult } from '../import/import-files.ts';
import { readDatasetFiles } from '../dataset-files.ts';
import { lockDataset } from '../locked-dataset.ts';
import { ApiError } from '../json-api.ts';
import type { Row } from '../import/rows.ts';
import type { ExportFile } from '../import/table.ts';

/** A hundred thousand reviews, at the fewest on a page; an API that goes on is not to be believed. */
const MAX_PAGES = 5_000;

interface Page {
  reviews: readonly Row[];
  /** The number of reviews on the platform, if the API tells. */
  totalReviewCount?: number | undefined;
  /** Names the next page; the last one has none. */
  nextPageToken?: string | null | undefined;
}

/** One location or business unit whose reviews an API returns. */
export interface Listing {
  /** The platform's name, as messages show it. */
  platform: string;
  /** Names the listing in `imports.jsonl`. */
  file: string;
  /** Reads the page that the last one names, in an order that loses no review meanwhile. */
  read: (pageToken: string | undefined) => Promise<Page>;
}

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
async function download({ platform, read }: Listing): Promise<Page> {
  const reviews = new Map<unknown, Row>();
  const tokens = new Set<string>();
  let total: number | undefined;
  for (let token: string | undefined; ; tokens.add(token)) {
    const page = await read(token);
    total ??= page.totalReviewCount;
    for (const review of page.reviews) {
      const key = review.reviewId ?? review.id;
      if (!reviews.has(key)) reviews.set(key, review);
    }
    if (!page.nextPageToken) break;
    token = page.nextPageToken;
    if (tokens.has(token)) {
      throw new ApiError(`${platform} returned the same page again: sync again later`);
    }
    if (tokens.size + 1 >= MAX_PAGES) {
      throw new ApiError(`${platform} returned more than ${MAX_PAGES} pages`);
    }
  }
  return { reviews: [...reviews.values()], totalReviewCount: total };
}
