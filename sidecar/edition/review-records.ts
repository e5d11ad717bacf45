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

/** Puts together the document of any review, with the bytes of a file. */
export class ReviewRecords {
  readonly #files: FileStore;
  readonly #lines: ReviewLines;
  readonly #ids: ReviewIds;
  #parts: Promise<Parts> | undefined;

  constructor(files: FileStore, lines: ReviewLines, ids: ReviewIds) {
    this.#files = files;
    this.#lines = lines;
    this.#ids = ids;
  }

  /**
   * Returns the review, or what is left of it; undefined if it was never here, or if the edition is
   * of an earlier version.
   *
   * @throws {DamagedFileError}
   */
  async find(id: string): Promise<FoundReview | WithdrawnReview | undefined> {
    const { readings, histories } = await this.#find();
    const position = this.#ids.positionOf(id);
    const history = histories.get(id) ?? [];
    if (position === undefined) return history[0] === undefined ? undefined : tombstone(history[0]);
    const reading = readingInLine(readings[position + BEFORE_READINGS] ?? '', id);
    if (reading === undefined) return undefined;
    return { position, document: serializeReviewDocument(this.#lines, position, reading, history) };
  }

  /** Reads the parts on first use. */
  #find(): Promise<Parts> {
    this.#parts ??= this.#read().catch((error: unknown) => {
      this.#parts = undefined;
      throw error;
    });
    return this.#parts;
  }

  /** Reads the changes newest first; an edition of an earlier version has no journal. */
  async #read(): Promise<Parts> {
    const changes: JournalEntry[] = [];
    const journal = JSON.parse(
      (await this.#text(JOURNAL_PATH)) || '{}',
    ) as Partial<JournalDocument>;
    for (const path of journal.months ?? []) {
      changes.push(...(JSON.parse(await this.#text(path)) as MonthChanges).changes);
    }
    const insights = await this.#text(INSIGHTS_PATH);
    return { readings: insights.split('\n'), histories: Map.groupBy(changes, ({ id }) => id) };
  }

  /** Returns a document; empty if the edition has none. */
  async #text(path: string): Promise<string> {
    const file = this.#files.get(path);
    return file ? (await this.#files.bytes(file.identity)).toString() : '';
  }
}

function tombstone({ id, date, reason = 'other' }: JournalEntry): WithdrawnReview {
  return { id, date, reason };
}
