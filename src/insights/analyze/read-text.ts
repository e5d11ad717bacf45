import { findPlaces, type Place } from './clauses.ts';
import type { SentimentLexicon } from './lexicon.ts';
import { findOpinions, type Opinion } from './opinions.ts';
import { tokenize, type Token } from './tokens.ts';

/** A text with everything the rules look at. */
export interface ReadText {
  text: string;
  tokens: readonly Token[];
  places: readonly Place[];
  opinions: readonly Opinion[];
}

export function readText(text: string, lexicon: SentimentLexicon): ReadText {
  const tokens = tokenize(text);
  return { text, tokens, places: findPlaces(tokens), opinions: findOpinions(tokens, lexicon) };
}

/** The verbatim piece of the text from one word to another, with the marks that belong to it. */
export function slice({ text, tokens }: ReadText, first: number, last: number): string {
  const { start } = tokens[first]!;
  const { end } = tokens[last]!;
  const before = /["“‘(#$£€]+$/.exec(text.slice(Math.max(0, start - 4), start))?.[0] ?? '';
  const after = /^[.!?…)"'”’%]+/.exec(text.slice(end, end + 8))?.[0] ?? '';
  return withoutLoneMark(text.slice(start - before.length, end + after.length));
}

const PAIRED = /["“”‘()]|’$/;

/** Drops a bracket or quotation mark at an end whose other half is not in the piece. */
function withoutLoneMark(piece: string): string {
  if (!PAIRED.test(piece)) return piece;
  const count = (mark: string) => piece.split(mark).length - 1;
  for (const [open, close] of [
    ['(', ')'],
    ['“', '”'],
    ['‘', '’'],
  ] as const) {
    if (count(open) > count(close) && piece.startsWith(open)) return piece.slice(1);
    if (count(close) > count(open) && piece.endsWith(close)) return piece.slice(0, -1);
  }
  if (count('"') % 2 === 0) return piece;
  if (piece.endsWith('"')) return piece.slice(0, -1);
  return piece.startsWith('"') ? piece.slice(1) : piece;
}

/** First and last word of the sentence, or of the clause, around a word. */
export function around(
  { places }: ReadText,
  at: number,
  unit: 'sentence' | 'clause',
): [first: number, last: number] {
  let first = at;
  let last = at;
  const here = places[at]![unit];
  while (first > 0 && places[first - 1]![unit] === here) first--;
  while (last + 1 < places.length && places[last + 1]![unit] === here) last++;
  return [first, last];
}
