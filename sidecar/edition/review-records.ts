import type { ReviewIds, ReviewLines } from '../../src/dataset/document.ts';
import { readingInLine } from '../../src/dataset/readings.ts';
import { serializeReviewDocument } from '../../src/dataset/review-document.ts';
import { INSIGHTS_PATH, JOURNAL_PATH } from '../../src/paths.ts';
import type { JournalDocument, JournalEntry, MonthChanges } from '../../src/schema/journal.ts';
import type { WithdrawnReview } from '../../src/schema/review-document.ts';
import type { FileStore } from './file-store.ts';

/** A review, and the text of its document. */
export interface FoundReview {
  /** In reviews.json. */
  position: number;
  document: string;
}

/** Lines of insights.json before the first reading. */
const BEFORE_READINGS = 1;

/** Sources of the documents of reviews, besides the reviews. */
interface Parts {
  readings: readonly string[];
  /** The changes of each review, newest first. */
  histories: ReadonlyMap<string, readonly JournalEntry[]>;
}

/**
 * Returns a function that finds a review, or what is left of it, and puts its document together with the bytes
 * of a file; undefined if it was never here, or if the edition is of an earlier version. It throws a
 * DamagedFileError.
 */
export function reviewFinder(files: FileStore, lines: ReviewLines, ids: ReviewIds) {
  /** Read on first use. */
  let parts: Promise<Parts> | undefined;
  return async (id: string): Promise<FoundReview | WithdrawnReview | undefined> => {
    parts ??= readParts(files).catch((error: unknown) => {
      parts = undefined;
      throw error;
    });
    const { readings, histories } = await parts;
    const position = ids.positionOf(id);
    const history = histories.get(id) ?? [];
    if (position === undefined) return history[0] === undefined ? undefined : tombstone(history[0]);
    const reading = readingInLine(readings[position + BEFORE_READINGS] ?? '', id);
    if (reading === undefined) return undefined;
    return { position, document: serializeReviewDocument(lines, position, reading, history) };
  };
}

/** Reads the changes newest first; an edition of an earlier version has no journal. */
async function readParts(files: FileStore): Promise<Parts> {
  /** Returns a document; empty if the edition has none. */
  const textAt = async (path: string): Promise<string> => {
    const file = files.get(path);
    return file ? (await files.bytes(file.identity)).toString() : '';
  };
  const changes: JournalEntry[] = [];
  const journal = JSON.parse((await textAt(JOURNAL_PATH)) || '{}') as Partial<JournalDocument>;
  for (const path of journal.months ?? []) {
    changes.push(...(JSON.parse(await textAt(path)) as MonthChanges).changes);
  }
  const insights = await textAt(INSIGHTS_PATH);
  return { readings: insights.split('\n'), histories: Map.groupBy(changes, ({ id }) => id) };
}

function tombstone({ id, date, reason = 'other' }: JournalEntry): WithdrawnReview {
  return { id, date, reason };
}
