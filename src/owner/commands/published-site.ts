import type { z } from 'zod';
import { placeOf, readBytes } from '../../build/site-files.ts';
import { manifest } from '../../edition/manifest.ts';
import { isAddress } from '../../edition/untrusted-origin.ts';
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
import { firstIssue, parseUntrusted } from './untrusted-json.ts';

/** The documents of a site that all others are derived from. */
export type PublishedSite = Awaited<ReturnType<typeof readPublished>>;

/** Milliseconds and bytes for all documents of a site, which are parsed. */
const READ_MS = 20_000;
const MAX_BYTES = 32_000_000;

/**
 * Reads the documents of a site from its address or folder; from an address only as many bytes as
 * edition.json states.
 *
 * @param limits multiplies the usual time and bytes
 * @throws as {@link loadDocument}
 */
export async function readPublished(site: string, limits = 1) {
  const signal = deadline(READ_MS * limits, site);
  const manifestBytes = await readBytes(placeOf(site, EDITION_PATH), { signal });
  const parsed = parseDocument(placeOf(site, EDITION_PATH), manifestBytes, manifest);
  const resources = new Map(parsed.resources.map((resource) => [resource.path, resource]));
  let left = MAX_BYTES * limits;
  const bytesAt = async (path: string): Promise<Buffer> => {
    const resource = resources.get(path);
    if (!resource) throw new Error(`${placeOf(site, EDITION_PATH)} does not list ${path}`);
    resources.delete(path);
    left -= resource.size;
    if (isAddress(site) && left < 0) {
      throw new Error(
        `the documents of ${site} have more than ${MAX_BYTES * limits} bytes: ${MORE_LIMITS}`,
      );
    }
    const place = placeOf(site, isAddress(site) ? path : resource.file);
    return readBytes(place, { maxBytes: resource.size, signal });
  };
  const read = async <T>(path: string, schema: z.ZodType<T>) =>
    parseDocument(placeOf(site, path), await bytesAt(path), schema);
  const reviews = await bytesAt(REVIEWS_PATH);
  const journal = await read(JOURNAL_PATH, journalDocument);
  const changes: JournalEntry[] = [];
  for (const path of journal.months) changes.push(...(await read(path, monthChanges)).changes);
  const frames = new Map<string, string>();
  for (const { path } of parsed.resources) {
    if (path.startsWith(EMBED_PATH)) frames.set(path, (await bytesAt(path)).toString());
  }
  return {
    manifestBytes,
    manifest: parsed,
    /** The HTML of each page for frames, by its path. */
    frames: frames as ReadonlyMap<string, string>,
    reviews,
    dataset: parseDocument(placeOf(site, REVIEWS_PATH), reviews, reviewsDataset),
    insights: await read(INSIGHTS_PATH, insightsDataset),
    inputs: await read(INSIGHTS_INPUTS_PATH, insightsInputs),
    labels: (await bytesAt(REVIEW_LABELS_PATH)).toString(),
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

const MORE_LIMITS = 'if you trust it, --limits 5 allows five times as much';

/** Maximum length of an issue, which may repeat what the site sent. */
const MAX_SHOWN = 300;

/** Returns a signal that ends the reading of a site. */
export function deadline(ms: number, site: string): AbortSignal {
  const stop = new AbortController();
  const end = () =>
    stop.abort(new Error(`${site} took longer than ${ms / 1000} s: ${MORE_LIMITS}`));
  setTimeout(end, ms).unref();
  return stop.signal;
}

function parseDocument<T>(place: string, bytes: Buffer, schema: z.ZodType<T>): T {
  let document: unknown;
  try {
    document = parseUntrusted(bytes);
  } catch (cause) {
    throw new Error(`${place} ${(cause as Error).message}`, { cause });
  }
  const issue = firstIssue(schema, document);
  const parsed = issue ? undefined : schema.safeParse(document);
  if (parsed?.success) return parsed.data;
  const { path, message } = issue ?? parsed!.error.issues[0]!;
  throw new Error(
    `${place} is not of the kind and version that this program verifies: ` +
      `${path.join('.') || 'the document'}: ${message}`.slice(0, MAX_SHOWN),
  );
}
