import type { Sentiment } from '../schema/insights.ts';

/** A range of a text that is marked, and the side of the opinion that it was read as. */
export type Mark = readonly [from: number, to: number, sentiment?: Sentiment];

/** A piece of a text: what is marked, or the text between two marks. */
interface Piece {
  text: string;
  matched: boolean;
  sentiment?: Sentiment;
}

/** Returns the marks inside a piece of their text, as ranges of the piece. */
export function marksWithin(marks: readonly Mark[], start: number, piece: string): Mark[] {
  return marks
    .filter(([from, to]) => from >= start && to <= start + piece.length)
    .map(([from, to, ...sentiment]): Mark => [from - start, to - start, ...sentiment]);
}

/**
 * Splits a text at marks. Joined, the pieces are the text. Where marks overlap, the one that begins first
 * counts, then the longer one, then the first of the list.
 */
export function markedPieces(text: string, marks: readonly Mark[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  const add = (end: number, matched: boolean, sentiment?: Sentiment): void => {
    if (end > done)
      pieces.push({ text: text.slice(done, end), matched, ...(sentiment && { sentiment }) });
    done = Math.max(done, end);
  };
  for (const [from, to, side] of [...marks].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    add(from, false);
    add(to, true, side);
  }
  add(text.length, false);
  return pieces;
}
