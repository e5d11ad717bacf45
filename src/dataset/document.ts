import type { ReviewsDataset } from '../schema/dataset.ts';
import type { Review } from '../schema/review.ts';

/** reviews.json without its reviews. */
export type DatasetMetadata = Omit<ReviewsDataset, 'reviews'>;

/** Returns the facts of the site that every page shows. @param site those that the edition adds */
export function pageSite(
  { aggregate_rating: rating, business, coverage, license }: DatasetMetadata,
  baseUrl: string,
  site: object | undefined,
) {
  return { baseUrl, business, rating, coverage, license, ...site };
}

/**
 * Returns the text of a document with one review per line, so that a review can be found and sliced
 * out without parsing the document.
 *
 * @param head the other members, before the reviews
 * @param reviews each as JSON; JSON.stringify never writes a raw line break inside a value
 */
export function serializeByLine(head: object, reviews: readonly string[]): string {
  const open = `${JSON.stringify(head).slice(0, -1)},"reviews":[\n`;
  return `${open}${reviews.join(',\n')}${reviews.length > 0 ? '\n' : ''}]}\n`;
}

/** The bytes of reviews.json and where each review lies in them. Nothing is copied. */
export interface ReviewLines {
  bytes: Uint8Array;
  count: number;
  /** `count + 1` offsets; the last one is that of the closing bracket. */
  starts: Uint32Array;
}

const NEWLINE = 10;
/** Browsers, which search as well, have no Buffer. */
const utf8 = new TextDecoder();

/** @throws when the bytes are not what {@link serializeByLine} writes */
export function reviewLines(bytes: Uint8Array): ReviewLines {
  const starts: number[] = [];
  let position = bytes.indexOf(NEWLINE);
  while (position !== -1 && position + 1 < bytes.length) {
    starts.push(position + 1);
    position = bytes.indexOf(NEWLINE, position + 1);
  }
  const close = starts.at(-1);
  if (close === undefined || utf8.decode(bytes.subarray(close)) !== ']}\n') {
    throw new Error('reviews.json is not written one review a line');
  }
  return { bytes, count: starts.length - 1, starts: Uint32Array.from(starts) };
}

/** Returns where the JSON of a review ends, before the comma and the line break. */
export function lineEnd(lines: ReviewLines, index: number): number {
  return lines.starts[index + 1]! - (index === lines.count - 1 ? 1 : 2);
}

/** Returns a part of the bytes: a view, not a copy. */
export function linesBetween({ bytes }: ReviewLines, from: number, to: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
}

/** Returns reviews.ndjson line by line: the same JSON as in reviews.json. */
export function* ndjson(lines: ReviewLines): Generator<string> {
  for (let index = 0; index < lines.count; index++) yield `${reviewJson(lines, index)}\n`;
}

/** Returns the bytes of a review: a view, not a copy. */
export function reviewBytes(lines: ReviewLines, index: number): Uint8Array {
  return lines.bytes.subarray(lines.starts[index]!, lineEnd(lines, index));
}

export function reviewJson(lines: ReviewLines, index: number): string {
  return utf8.decode(reviewBytes(lines, index));
}

export function readReview(lines: ReviewLines, index: number): Review {
  const review = JSON.parse(reviewJson(lines, index)) as Review;
  review.verification ??= 'owner'; // editions up to 1.1 do not state it; this is the weakest level
  return review;
}

/** Reads the members before the reviews, without parsing any review. */
export function documentHead<Head>({ bytes, starts }: ReviewLines): Head {
  const { reviews: _, ...head } = JSON.parse(`${utf8.decode(bytes.subarray(0, starts[0]))}]}`);
  return head as Head;
}

export const datasetMetadata = documentHead<DatasetMetadata>;

const ID_LENGTH = 26;
/** Every line of a review begins with it, because `id` is its first field. */
const BEFORE_ID = '{"id":"'.length;

/** Returns the id of a review without parsing it. */
export function reviewId({ bytes, starts }: ReviewLines, index: number): string {
  const start = starts[index]! + BEFORE_ID;
  return utf8.decode(bytes.subarray(start, start + ID_LENGTH));
}

/** Finds reviews by id. The ids are read on first use: most of the API never needs them. */
export class ReviewIds {
  readonly #lines: ReviewLines;
  #positions: ReadonlyMap<string, number> | undefined;

  constructor(lines: ReviewLines) {
    this.#lines = lines;
  }

  /** Returns the position in reviews.json; undefined for an unknown id. */
  positionOf(id: string): number | undefined {
    return this.#known().get(id);
  }

  /** Returns the ids of the newest reviews. */
  newest(limit: number): string[] {
    const lines = this.#lines;
    return Array.from({ length: Math.min(limit, lines.count) }, (_, at) => reviewId(lines, at));
  }

  #known(): ReadonlyMap<string, number> {
    return (this.#positions ??= new Map(this.newest(Infinity).map((id, at) => [id, at])));
  }
}
