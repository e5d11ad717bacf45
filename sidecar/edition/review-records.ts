import type { ReviewIds, ReviewLines } from '../../src/dataset/document.ts';
import { readingInLine, serializeReviewDocument } from '../../src/dataset/review-document.ts';
import { INSIGHTS_PATH, JOURNAL_PATH } from '../../src/paths.ts';
import type { JournalDocument, JournalEntry } from '../../src/schema/journal.ts';
import type { Tombstone } from '../../src/schema/review-document.ts';
import { FileLines } from './file-lines.ts';
import type { FileStore } from './file-store.ts';

/** A review with the text of its document. */
export interface FoundReview {
  /** In reviews.json. */
  position: number;
  document: string;
}

/** Lines of insights.json before the first reading. */
const BEFORE_READINGS = 1;
const ID = /"id":"([0-9A-Z]{26})"/;

/** Places of readings and changes in the files of an edition. Changes are numbered, newest first. */
interface Places {
  readings: FileLines;
  months: FileLines[];
  /** The line of each change: `month * MOST_LINES + line`. */
  lines: number[];
  /** The last change of each review by its position; -1 without one. */
  oldest: Int32Array;
  /** The change of the same review after each change; -1 after the newest. */
  newer: number[];
  /** The newest change of each review that is gone. */
  withdrawn: Map<string, number>;
}

const MOST_LINES = 2 ** 32;

/**
 * Puts together the document of any review, with the bytes of a file. It keeps the places of
 * readings and changes, not the readings and changes themselves, and finds them on first use.
 */
export class ReviewRecords {
  readonly #files: FileStore;
  readonly #lines: ReviewLines;
  readonly #ids: ReviewIds;
  #places: Promise<Places> | undefined;

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
  async find(id: string): Promise<FoundReview | Tombstone | undefined> {
    const places = await this.#find();
    const { readings, withdrawn, oldest, newer } = places;
    const position = this.#ids.positionOf(id);
    if (position === undefined) {
      const gone = withdrawn.get(id);
      return gone === undefined ? undefined : tombstone(await readChange(places, gone));
    }
    const line = position + BEFORE_READINGS;
    if (line >= readings.count) return undefined;
    const reading = readingInLine(await readings.read(line), id);
    if (reading === undefined) return undefined;
    const history: string[] = [];
    for (let change = oldest[position]!; change !== -1; change = newer[change]!) {
      history.unshift(await readChange(places, change));
    }
    return { position, document: serializeReviewDocument(this.#lines, position, reading, history) };
  }

  #find(): Promise<Places> {
    this.#places ??= this.#scan().catch((error: unknown) => {
      this.#places = undefined;
      throw error;
    });
    return this.#places;
  }

  async #scan(): Promise<Places> {
    const lines: number[] = [];
    const newer: number[] = [];
    const oldest = new Int32Array(this.#lines.count).fill(-1);
    const withdrawn = new Map<string, number>();
    const months: FileLines[] = [];
    for (const [month, path] of (await this.#journalPaths()).entries()) {
      const scanned = await FileLines.scan(this.#files, path, (text, line) => {
        const id = ID.exec(text.toString('latin1'))?.[1];
        if (id === undefined) return;
        const change = lines.push(month * MOST_LINES + line) - 1;
        const position = this.#ids.positionOf(id);
        newer.push(position === undefined ? -1 : oldest[position]!);
        if (position !== undefined) oldest[position] = change;
        else if (!withdrawn.has(id)) withdrawn.set(id, change);
      });
      months.push(scanned);
    }
    const readings = await FileLines.scan(this.#files, INSIGHTS_PATH);
    return { readings, months, lines, oldest, newer, withdrawn };
  }

  /** Returns the paths of all changes, newest first; none for an edition of an earlier version. */
  async #journalPaths(): Promise<string[]> {
    const journal = this.#files.get(JOURNAL_PATH);
    if (!journal) return [];
    const bytes = await this.#files.bytes(journal.identity);
    return (JSON.parse(bytes.toString()) as JournalDocument).months;
  }
}

/** Returns a change as JSON: the lines of a document end with a comma, except the last one. */
async function readChange({ months, lines }: Places, change: number): Promise<string> {
  const line = lines[change]!;
  const text = await months[Math.floor(line / MOST_LINES)]!.read(line % MOST_LINES);
  return text.endsWith(',') ? text.slice(0, -1) : text;
}

function tombstone(json: string): Tombstone {
  const { id, date, reason = 'other' } = JSON.parse(json) as JournalEntry;
  return { id, date, reason };
}
