import { fold } from '../search/fold.ts';

/** A piece of a text: a match of a query, or the text between two matches. */
export interface Piece {
  text: string;
  matched: boolean;
}

const ASCII = /^[\u0000-\u007f]*$/;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Splits a text at the matches of a query, by the rule of the search ({@link fold}). Joined, the
 * pieces are the text; a match covers complete characters as a reader sees them.
 */
export function findMatches(text: string, query: string | undefined): Piece[] {
  const wanted = fold(query ?? '');
  const folded = fold(text);
  const pieces: Piece[] = [];
  let done = 0;
  const add = (end: number, matched: boolean): void => {
    if (end > done) pieces.push({ text: text.slice(done, end), matched });
    done = Math.max(done, end);
  };
  if (wanted !== '' && folded.includes(wanted)) {
    const offsets = originalOffsets(text, folded);
    for (let at = folded.indexOf(wanted); at !== -1;) {
      const end = at + wanted.length;
      add(offsets.start(at), false);
      add(offsets.end(end), true);
      at = folded.indexOf(wanted, end);
    }
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
