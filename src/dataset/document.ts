import type { ReviewsDataset } from '../schema/dataset.ts';

/**
 * reviews.json as text: one review a line, so that a review can be found, and sliced out, without
 * parsing the document. JSON.stringify never writes a raw line break inside a value.
 */
export function serializeDataset(dataset: ReviewsDataset): string {
  const { reviews, ...head } = dataset;
  const lines = reviews.map((review) => JSON.stringify(review));
  const open = `${JSON.stringify(head).slice(0, -1)},"reviews":[\n`;
  return `${open}${lines.join(',\n')}${lines.length > 0 ? '\n' : ''}]}\n`;
}

/** Where the reviews lie inside the bytes of reviews.json. Nothing is copied. */
export interface ReviewLines {
  bytes: Buffer;
  count: number;
  /** `count + 1` offsets; the last is where the closing bracket stands. */
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

/** All of reviews.json but its reviews. */
export function datasetHead({ bytes, starts }: ReviewLines): Omit<ReviewsDataset, 'reviews'> {
  const { reviews: _, ...head } = JSON.parse(
    `${bytes.toString('utf8', 0, starts[0])}]}`,
  ) as ReviewsDataset;
  return head;
}

/** End of the JSON of review `index`, before the comma and the line break. */
export function lineEnd(lines: ReviewLines, index: number): number {
  return lines.starts[index + 1]! - (index === lines.count - 1 ? 1 : 2);
}

/** One review, as its exact JSON bytes; a view, not a copy. */
export function reviewLine(lines: ReviewLines, index: number): Buffer {
  return lines.bytes.subarray(lines.starts[index]!, lineEnd(lines, index));
}
