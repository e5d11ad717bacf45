import type { ReviewIds, ReviewLines } from '../../src/dataset/document.ts';
import { readingInLine } from '../../src/dataset/readings.ts';
import { serializeReviewDocument } from '../../src/dataset/review-document.ts';
import { INSIGHTS_PATH, JOURNAL_PATH } from '../../src/paths.ts';
import type { JournalDocument, JournalEntry } from '../../src/schema/journal.ts';
import type { WithdrawnReview } from '../../src/schema/review-document.ts';
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
  async find(id: string): Promise<FoundReview | WithdrawnReview | undefined> {
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

function tombstone(json: string): WithdrawnReview {
  const { id, date, reason = 'other' } = JSON.parse(json) as JournalEntry;
  return { id, date, reason };
}

const NEWLINE = 10;

/**
 * Finds the lines of a file of an edition. The file stays on the disk: only the places of its lines
 * are kept, and pieces are read while other requests are served.
 */
class FileLines {
  readonly #files: FileStore;
  readonly #path: string;
  /** The beginning of each line, and the end of the last one that has a line break. */
  readonly #starts: number[] = [0];

  private constructor(files: FileStore, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /**
   * Reads a file once.
   *
   * @param visit called with each line that ends with a line break
   *
   * @throws {DamagedFileError}
   */
  static async scan(
    files: FileStore,
    path: string,
    visit?: (line: Buffer, at: number) => void,
  ): Promise<FileLines> {
    const lines = new FileLines(files, path);
    const starts = lines.#starts;
    let done = 0;
    let rest: Buffer[] = [];
    for await (const piece of await files.stream(files.get(path)!.identity)) {
      const bytes = piece as Buffer;
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
        if (visit) {
          const part = bytes.subarray(from, end);
          visit(rest.length > 0 ? Buffer.concat([...rest, part]) : part, starts.length - 1);
          rest = [];
        }
        from = end + 1;
        starts.push(done + from);
      }
      if (visit) rest.push(bytes.subarray(from));
      done += bytes.length;
    }
    return lines;
  }

  /** Number of lines that end with a line break. */
  get count(): number {
    return this.#starts.length - 1;
  }

  /** Reads a line, without its line break. @throws {DamagedFileError} */
  async read(at: number): Promise<string> {
    const file = this.#files.get(this.#path)!.identity;
    const range = { start: this.#starts[at]!, end: this.#starts[at + 1]! - 2 };
    const pieces: Buffer[] = [];
    for await (const piece of await this.#files.stream(file, range)) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString();
  }
}
