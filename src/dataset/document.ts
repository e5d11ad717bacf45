import type { ReviewsDataset } from '../schema/dataset.ts';

/** reviews.json without its reviews. */
export type DatasetHead = Omit<ReviewsDataset, 'reviews'>;

/**
 * Returns the text of reviews.json, with one review per line, so that a review can be found and
 * sliced out without parsing the document.
 *
 * @param reviews each as JSON; JSON.stringify never writes a raw line break inside a value
 */
export function serializeDataset(head: DatasetHead, reviews: readonly string[]): string {
  const open = `${JSON.stringify(head).slice(0, -1)},"reviews":[\n`;
  return `${open}${reviews.join(',\n')}${reviews.length > 0 ? '\n' : ''}]}\n`;
}

/** The bytes of reviews.json and where each review lies in them. Nothing is copied. */
export interface ReviewLines {
  bytes: Buffer;
  count: number;
  /** `count + 1` offsets; the last one is that of the closing bracket. */
  starts: Uint32Array;
}

const NEWLINE = 10;

/** @throws when the bytes are not what {@link serializeDataset} writes */
export function reviewLines(bytes: Buffer): ReviewLines {
  const starts: number[] = [];
  let position = bytes.indexOf(NEWLINE);
  while (position !== -1 && position + 1 < bytes.length) {
    starts.push(position + 1);
    position = bytes.indexOf(NEWLINE, position + 1);
  }
  const close = starts.at(-1);
  if (close === undefined || bytes.toString('latin1', close) !== ']}\n') {
    throw new Error('reviews.json is not written one review a line');
  }
  return { bytes, count: starts.length - 1, starts: Uint32Array.from(starts) };
}

/** Returns where the JSON of a review ends, before the comma and the line break. */
export function lineEnd(lines: ReviewLines, index: number): number {
  return lines.starts[index + 1]! - (index === lines.count - 1 ? 1 : 2);
}

/** Returns the exact JSON bytes of a review: a view, not a copy. */
export function reviewLine(lines: ReviewLines, index: number): Buffer {
  return lines.bytes.subarray(lines.starts[index]!, lineEnd(lines, index));
}

/** Reads the part before the first review, without parsing any review. */
export function datasetHead({ bytes, starts }: ReviewLines): DatasetHead {
  const open = bytes.toString('utf8', 0, starts[0]);
  const { reviews: _, ...head } = JSON.parse(`${open}]}`) as ReviewsDataset;
  return head;
}

const ID_LENGTH = 26;
/** Every line begins with it: `id` is the first field of a published review. */
const BEFORE_ID = '{"id":"'.length;

/** Finds reviews by id. The ids are read on first use: most of the API never needs them. */
export class ReviewIds {
  readonly #lines: ReviewLines;
  #positions: Map<string, number> | undefined;

  constructor(lines: ReviewLines) {
    this.#lines = lines;
  }

  /** Returns the position in reviews.json; undefined for an unknown id. */
  positionOf(id: string): number | undefined {
    return this.#byId().get(id);
  }

  /** Returns the newest ids that begin with a prefix. */
  startingWith(prefix: string, most: number): string[] {
    return this.#newest(most, (id) => id.startsWith(prefix));
  }

  /** Returns the newest ids that differ from an id in at most `differing` characters. */
  near(id: string, differing: number, most: number): string[] {
    if (id.length !== ID_LENGTH) return [];
    return this.#newest(most, (other) => {
      let left = differing;
      for (let at = 0; at < ID_LENGTH; at++) {
        if (other[at] !== id[at] && left-- === 0) return false;
      }
      return true;
    });
  }

  #newest(most: number, matches: (id: string) => boolean): string[] {
    return this.#byId().keys().filter(matches).take(most).toArray();
  }

  #byId(): Map<string, number> {
    if (!this.#positions) {
      this.#positions = new Map();
      const { bytes, count, starts } = this.#lines;
      for (let position = 0; position < count; position++) {
        const start = starts[position]! + BEFORE_ID;
        this.#positions.set(bytes.toString('latin1', start, start + ID_LENGTH), position);
      }
    }
    return this.#positions;
  }
}
