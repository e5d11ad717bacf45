import type { z } from 'zod';
import { isUrl, placeOf, readBytes } from '../../build/site-files.ts';
import { manifest } from '../../edition/manifest.ts';
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
import { reviewsDataset } from '../../schema/dataset.ts';
import { insightsInputs } from '../../schema/insights-inputs.ts';
import { insightsDataset } from '../../schema/insights.ts';
import { journalDocument, monthChanges, type JournalEntry } from '../../schema/journal.ts';
import { provenance } from '../../schema/provenance.ts';

/** The documents of a site that all others are derived from. */
export type PublishedSite = Awaited<ReturnType<typeof readPublished>>;

/** Reads them from an address or a folder. @throws as {@link loadDocument} */
export async function readPublished(site: string) {
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
    /** The HTML of each page for frames, by its path. */
    frames: frames as ReadonlyMap<string, string>,
    reviews,
    dataset: parseDocument(placeOf(site, REVIEWS_PATH), reviews, reviewsDataset),
    insights: await read(INSIGHTS_PATH, insightsDataset),
    inputs: await read(INSIGHTS_INPUTS_PATH, insightsInputs),
    labels: (await readBytes(placeOf(site, REVIEW_LABELS_PATH))).toString(),
    provenance: await read(PROVENANCE_PATH, provenance),
    journal,
    /** Newest first. */
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
