import { fold } from '../search/fold.ts';
import { placesOfWord, stringWord, type Word } from '../search/words.ts';

/** A piece of a text: a match of a query, or the text between two matches. */
export interface Piece {
  text: string;
  matched: boolean;
}

const ASCII = /^[\u0000-\u007f]*$/;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Splits a text at the matches of what was looked for, by the rules of the search. Joined, the pieces are
 * the text; a match covers complete characters as a reader sees them.
 *
 * @param wanted a substring, or words
 * @param quotes ranges of the text that are marked as well
 */
export function findMatches(
  text: string,
  wanted: string | readonly Word[] | undefined,
  quotes: readonly (readonly [from: number, to: number])[] = [],
): Piece[] {
  const folded = fold(text);
  const words = typeof wanted === 'string' ? (wanted === '' ? [] : [stringWord(wanted)]) : wanted;
  const places = (words ?? []).flatMap((word) => [...placesOfWord(folded, word)]);
  const pieces: Piece[] = [];
  let done = 0;
  const add = (end: number, matched: boolean): void => {
    if (end > done) pieces.push({ text: text.slice(done, end), matched });
    done = Math.max(done, end);
  };
  const offsets = places.length > 0 ? originalOffsets(text, folded) : undefined;
  const found = places.map(([from, to]) => [offsets!.start(from), offsets!.end(to)] as const);
  for (const [from, to] of [...found, ...quotes].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    add(from, false);
    add(to, true);
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
