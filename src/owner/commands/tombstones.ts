import { readFile } from 'node:fs/promises';
import { pathInside, type Manifest } from '../../edition/manifest.ts';
import { JOURNAL_PATH, reviewDocumentPath, reviewPath } from '../../paths.ts';
import { errorOf } from '../../schema/error.ts';
import {
  journalDocument,
  monthChanges,
  WITHDRAWAL_REASONS,
  type JournalEntry,
} from '../../schema/journal.ts';
import type { GoneBody } from '../../schema/review-document.ts';

/** Objects in the place of withdrawn reviews, by the name of the file. */
export interface Tombstones {
  pages: Map<string, Uint8Array>;
  documents: Map<string, Uint8Array>;
}

/**
 * Returns objects to take the place of the page and the document of each review that was withdrawn,
 * as the journal of an edition says. A bucket serves them with 200; their content is that of a 410.
 */
export async function withdrawnObjects(folder: string, edition: Manifest): Promise<Tombstones> {
  const named = new Map(edition.resources.map(({ path, file }) => [path, file]));
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(pathInside(folder, named.get(path)!), 'utf8'));
  const newest = new Map<string, JournalEntry>();
  if (named.has(JOURNAL_PATH)) {
    for (const path of journalDocument.parse(await read(JOURNAL_PATH)).months) {
      for (const entry of monthChanges.parse(await read(path)).changes) {
        if (!newest.has(entry.id)) newest.set(entry.id, entry);
      }
    }
  }
  const tombstones: Tombstones = { pages: new Map(), documents: new Map() };
  for (const { id, date, change, reason = 'other' } of newest.values()) {
    if (change !== 'withdrawn' || named.has(reviewDocumentPath(id))) continue;
    const body: GoneBody = { ...errorOf('gone'), withdrawn: { id, date, reason } };
    const document = Buffer.from(`${JSON.stringify(body)}\n`);
    tombstones.documents.set(reviewDocumentPath(id).slice(1), document);
    const text = `Review ${id} of ${date} was withdrawn: ${WITHDRAWAL_REASONS[reason]}.`;
    tombstones.pages.set(`${reviewPath(id).slice(1)}index.html`, Buffer.from(pageOf(text)));
  }
  return tombstones;
}

function pageOf(text: string): string {
  return `<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Withdrawn</title><p>${text}</p></html>\n`;
}
