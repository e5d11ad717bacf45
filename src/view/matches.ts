import { fold } from '../search/fold.ts';
import type { Sentiment } from '../schema/insights.ts';
import { placesOfWord, type Word } from '../search/words.ts';

/** A range of a text that is marked, and the side of the opinion that it was read as. */
export type Mark = readonly [from: number, to: number, sentiment?: Sentiment];

/** A piece of a text: what is marked, or the text between two marks. */
export interface Piece {
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

const ASCII = /^[\u0000-\u007f]*$/;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Splits a text at the matches of what was looked for, by the rules of the search, and at marks. Joined,
 * the pieces are the text; a match covers complete characters as a reader sees them. Where marks overlap,
 * the one that begins first counts, then the longer one, then the first of the list.
 */
export function findMatches(
  text: string,
  wanted: readonly Word[],
  marks: readonly Mark[] = [],
): Piece[] {
  const folded = fold(text);
  const places = wanted.flatMap((word) => [...placesOfWord(folded, word)]);
  const pieces: Piece[] = [];
  let done = 0;
  const add = (end: number, matched: boolean, sentiment?: Sentiment): void => {
    if (end > done)
      pieces.push({ text: text.slice(done, end), matched, ...(sentiment && { sentiment }) });
    done = Math.max(done, end);
  };
  const offsets = places.length > 0 ? originalOffsets(text, folded) : undefined;
  const found = places.map(([from, to]): Mark => [offsets!.start(from), offsets!.end(to)]);
  for (const [from, to, side] of [...found, ...marks].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    add(from, false);
    add(to, true, side);
  }
  add(text.length, false);
  return pieces;
}

/** Maps positions in the folded text to positions in the text. */
function originalOffsets(text: string, folded: string) {
  if (ASCII.test(text)) return { start: (at: number) => at, end: (at: number) => at };
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const { length } = fold(segment);
    for (let unit = 0; unit < length; unit++) {
      starts.push(index);
      ends.push(index + segment.length);
    }
  }
  const last = Math.min(starts.length, folded.length) - 1;
  return {
    start: (at: number) => starts[Math.min(at, last)]!,
    end: (at: number) => ends[Math.min(at - 1, last)]!,
  };
}
