import { findAsides, type Asides } from './asides.ts';
import { findPlaces, type Place } from './clauses.ts';
import { findOpinions, type Opinion, type SentimentLexicon } from './opinions.ts';
import type { Range } from './spans.ts';
import { tokenize, type Token } from './tokens.ts';

/** A text with everything the rules need. */
export interface ReadText extends Asides {
  text: string;
  tokens: readonly Token[];
  /** The tokens without the names of the business, which are empty words. */
  withoutNames: readonly Token[];
  places: readonly Place[];
  /** The part of a form that each word is in: 1 for praise, -1 for criticism, 0 for neither. */
  sides: Int8Array;
  /** The opinions of this business as it is. */
  opinions: readonly Opinion[];
  lexicon: SentimentLexicon;
}

/** @param sidesOf tells the parts of the text, if it may have any */
export function readText(
  text: string,
  lexicon: SentimentLexicon,
  sidesOf = (tokens: readonly Token[]): Int8Array => new Int8Array(tokens.length),
): ReadText {
  const { language, trade } = lexicon;
  const tokens = tokenize(text, language);
  const places = findPlaces(tokens, language);
  const withoutNames = lexicon.names?.hide(tokens) ?? tokens;
  const asides = findAsides(withoutNames, places, lexicon.asides, trade, language);
  const opinions = findOpinions(withoutNames, lexicon, asides);
  return {
    text,
    tokens,
    withoutNames,
    places,
    sides: sidesOf(tokens),
    opinions,
    ...asides,
    lexicon,
  };
}

/** Returns the verbatim piece from one word to another, with its punctuation. */
export function slice({ text, tokens }: ReadText, { first, last }: Range): string {
  const { start } = tokens[first]!;
  const { end } = tokens[last]!;
  const before = /["“‘(#$£€]+$/.exec(text.slice(Math.max(0, start - 4), start))?.[0] ?? '';
  const after =
    /^(?:[ \u00A0\u202F](?=[!?]))?[.!?…)"'”’%]+/.exec(text.slice(end, end + 8))?.[0] ?? '';
  return withoutLoneMark(text.slice(start - before.length, end + after.length));
}

const PAIRED = /["“”‘()]|’$/;

/** Drops an unpaired bracket or quotation mark at either end. */
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

/** Returns the first and last word of the sentence or clause around a word. */
export function around({ places }: ReadText, at: number, unit: 'sentence' | 'clause'): Range {
  let first = at;
  let last = at;
  const here = places[at]![unit];
  while (first > 0 && places[first - 1]![unit] === here) first--;
  while (last + 1 < places.length && places[last + 1]![unit] === here) last++;
  return { first, last };
}

/** Longer sentences are cut to the clauses around the mention. */
const QUOTE_MAX_LENGTH = 220;

/** Returns the sentence around a word, or as many of its clauses as fit, verbatim. */
export function quoteAround(text: ReadText, at: number): string {
  return slice(text, quoteRange(text, at));
}

/** Returns the first and last word of the sentence around a word, or of the clauses that fit. */
export function quoteRange(text: ReadText, at: number): Range {
  const sentence = around(text, at, 'sentence');
  const { first: start, last: end } = sentence;
  const fits = (first: number, last: number) =>
    slice(text, { first, last }).length <= QUOTE_MAX_LENGTH;
  if (fits(start, end)) return sentence;
  let { first, last } = around(text, at, 'clause');
  for (let grows = true; grows;) {
    const before = first > start ? around(text, first - 1, 'clause').first : first;
    const after = last < end ? around(text, last + 1, 'clause').last : last;
    grows = true;
    if (before < first && fits(before, last) && isConnective(text, first)) first = before;
    else if (after > last && fits(first, after)) last = after;
    else if (before < first && fits(before, last)) first = before;
    else grows = false;
  }
  while (first < at && first > start && isConnective(text, first)) first++;
  return { first, last };
}

function isConnective({ tokens, lexicon }: ReadText, at: number): boolean {
  return lexicon.language.connectives.has(tokens[at]!.lower);
}
