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

/** The verbatim piece of the text from one word to another, with the mark that ends it. */
export function slice({ text, tokens }: ReadText, first: number, last: number): string {
  const end = tokens[last]!.end;
  const mark = /^[.!?…)"'”’]+/.exec(text.slice(end))?.[0] ?? '';
  return text.slice(tokens[first]!.start, end + mark.length);
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
