import type { z } from 'zod';
import { isUrl, placeOf, readBytes } from '../../build/site-files.ts';
import { manifest, type Manifest } from '../../edition/manifest.ts';
import {
  EDITION_PATH,
  EMBED_PATH,
  INSIGHTS_INPUTS_PATH,
  INSIGHTS_PATH,
  JOURNAL_PATH,
  PROVENANCE_PATH,
  REVIEW_LABELS_PATH,
  REVIEWS_PATH,
} from '../../paths.ts';
import { reviewsDataset, type ReviewsDataset } from '../../schema/dataset.ts';
import { insightsInputs, type InsightsInputs } from '../../schema/insights-inputs.ts';
import { insightsDataset, type InsightsDataset } from '../../schema/insights.ts';
import {
  journalDocument,
  monthChanges,
  type JournalDocument,
  type JournalEntry,
} from '../../schema/journal.ts';
import { provenance, type Provenance } from '../../schema/provenance.ts';

/** The documents of a site that all others are derived from. */
export interface PublishedSite {
  edition: Buffer;
  manifest: Manifest;
  reviews: Buffer;
  dataset: ReviewsDataset;
  insights: InsightsDataset;
  inputs: InsightsInputs;
  labels: string;
  provenance: Provenance;
  journal: JournalDocument;
  /** Newest first. */
  changes: JournalEntry[];
  /** The HTML of each page for frames, by its path. */
  frames: ReadonlyMap<string, string>;
}

/** Reads them from an address or a folder. @throws as {@link loadDocument} */
export async function readPublished(site: string): Promise<PublishedSite> {
  const read = <T>(path: string, schema: z.ZodType<T>) => loadDocument(placeOf(site, path), schema);
  const edition = await readBytes(placeOf(site, EDITION_PATH));
  const reviews = await readBytes(placeOf(site, REVIEWS_PATH));
  const journal = await read(JOURNAL_PATH, journalDocument);
  const changes: JournalEntry[] = [];
  for (const path of journal.months) changes.push(...(await read(path, monthChanges)).changes);
  const parsed = parseDocument(placeOf(site, EDITION_PATH), edition, manifest);
  const frames = new Map<string, string>();
  for (const { path, file } of parsed.resources) {
    if (!path.startsWith(EMBED_PATH)) continue;
    frames.set(path, (await readBytes(placeOf(site, isUrl(site) ? path : file))).toString());
  }
  return {
    edition,
    manifest: parsed,
    frames,
    reviews,
    dataset: parseDocument(placeOf(site, REVIEWS_PATH), reviews, reviewsDataset),
    insights: await read(INSIGHTS_PATH, insightsDataset),
    inputs: await read(INSIGHTS_INPUTS_PATH, insightsInputs),
    labels: (await readBytes(placeOf(site, REVIEW_LABELS_PATH))).toString(),
    provenance: await read(PROVENANCE_PATH, provenance),
    journal,
    changes,
  };
}

/** Reads a document. @throws if it cannot be read, or is one of another kind or version */
export async function loadDocument<T>(place: string, schema: z.ZodType<T>): Promise<T> {
  return parseDocument(place, await readBytes(place), schema);
}

function parseDocument<T>(place: string, bytes: Buffer, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(JSON.parse(bytes.toString()));
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  const where = first!.path.join('.') || 'the document';
  const more = others.length > 0 ? `, and ${others.length} more issues` : '';
  throw new Error(
    `${place} is not of the kind and version that this program verifies: ${where}: ${first!.message}${more}`,
  );
}
