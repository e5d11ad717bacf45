import { open, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles, type ImportOptions, type ImportResult } from '../import/import-files.ts';
import { readPastImports, readRecords, readTombstones } from '../dataset-files.ts';
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
  'contentDir' | 'now' | 'withdraw' | 'dryRun' | 'onRow'
> {
  /** Reads every review, so that deletions and late replies show. */
  full?: boolean | undefined;
  onPage?: ((listing: Listing, reviews: number) => void) | undefined;
}

export interface SyncResult {
  listing: Listing;
  /** True when every review of the listing was read. */
  full: boolean;
  /** Undefined when the listing has no reviews, so that there is nothing to import. */
  imported: ImportResult | undefined;
}

/**
 * Brings content/ up to date with one listing. What the API returns goes through a temporary file
 * and the same import as an export file, so nothing is written before all of it was read. The
 * dataset is locked only then: waiting for an API keeps no other command out.
 */
export async function syncListing(listing: Listing, options: SyncOptions): Promise<SyncResult> {
  const { contentDir } = options;
  // Fails before the download if another command has the dataset.
  lockDataset(contentDir)[Symbol.dispose]();
  const folder = await mkdtemp(join(tmpdir(), 'reviews-sync-'));
  try {
    const file = join(folder, listing.file);
    const imports = readPastImports(contentDir);
    const isFirst = !imports.some((record) => record.file === listing.file);
    const full = options.full === true || isFirst;
    const download = await downloadReviews(listing, file, { ...options, full });
    if (download.reviews === 0) return { listing, full, imported: undefined };
    const imported = await importFiles([file], {
      ...options,
      isPart: !download.complete,
      isRoutine: true,
    });
    return { listing, full: download.complete, imported };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes reviews into a file as the API returned them, each once. Unless all are wanted, the first
 * page without anything new is the last: pages begin with what changed last.
 */
async function downloadReviews(
  listing: Listing,
  path: string,
  { contentDir, full, onPage }: SyncOptions & { full: boolean },
): Promise<{ reviews: number; complete: boolean }> {
  const known = knownReviews(contentDir, listing.source);
  const written = new Set<unknown>();
  let complete = true;
  let total: number | undefined;
  // Only the owner may read it: it has the full names.
  const file = await open(path, 'w', 0o600);
  try {
    await file.write('{"reviews":[');
    let pages = 0;
    for await (const page of listing.pages({ full })) {
      if (++pages > MOST_PAGES) {
        throw new ApiError(`${listing.platform} returned more than ${MOST_PAGES} pages`);
      }
      total ??= page.total;
      const fresh = page.reviews.filter(({ reviewId, id }) => {
        const key = reviewId ?? id;
        return !written.has(key) && written.add(key);
      });
      const separator = written.size > fresh.length ? ',\n' : '\n';
      if (fresh.length > 0) {
        await file.write(separator + fresh.map((review) => JSON.stringify(review)).join(',\n'));
      }
      onPage?.(listing, written.size);
      if (!full && page.reviews.every((review) => known.has(review))) {
        complete = false;
        break;
      }
    }
    await file.write(`]${total === undefined ? '' : `,"totalReviewCount":${total}`}}\n`);
  } finally {
    await file.close();
  }
  return { reviews: written.size, complete };
}

/** Reviews that content/ has in their newest version, or that were withdrawn from it. */
interface KnownReviews {
  /** Tells whether a row of the API brings nothing new. */
  has(row: Row): boolean;
}

function knownReviews(contentDir: string, source: string): KnownReviews {
  const digests = new Map<string, string | undefined>();
  for (const { value: record } of readRecords(contentDir)) {
    if (record.source === source && record.source_id !== undefined) {
      digests.set(record.source_id, record.source_digest);
    }
  }
  const withdrawn = new Set<string | undefined>();
  for (const { value: tombstone } of readTombstones(contentDir)) {
    if (tombstone.source === source) withdrawn.add(tombstone.source_id);
  }
  return {
    has(row) {
      const format = recognize([row]);
      if (!format) return true;
      const draft = readDraft(row, { ...format, dateOrder: undefined });
      if ('reason' in draft || draft.sourceId === undefined) return true;
      if (withdrawn.has(draft.sourceId)) return true;
      const digest = digests.get(draft.sourceId);
      return digest !== undefined && digest === digestOf({ ...draft, owner_reply: draft.reply });
    },
  };
}
