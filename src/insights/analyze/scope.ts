import { opinionsWithin } from './opinions.ts';
import { evidenceOf, type Evidence } from './polarity.ts';
import type { ReadText } from './read-text.ts';
import type { Hit, Range } from './spans.ts';

/** The part of a text that speaks of a target. */
export interface Scope {
  /** For each word of the text, how much it counts for the target, from 0 to 1. */
  weights: Float64Array;
  /** The sentences around the hits, without overlap. */
  ranges: readonly Range[];
}

/** Words farther away are about something else. */
const REACH = 60;
/** Factor of a word's weight for each clause between it and its target. */
const CLAUSE_DECAY = 0.5;
/** Factor for each contrast (`but`) in between. */
const CONTRAST_DECAY = 0.2;

/**
 * Returns the scope of a target. Words of the same clause count fully; others count less with
 * distance.
 */
export function scopeOf(text: ReadText, hits: readonly Hit[]): Scope {
  const weights = new Float64Array(text.tokens.length);
  const ranges: Range[] = [];
  for (const { at } of hits) {
    const { first, last } = sentenceAround(text, at);
    const before = ranges.at(-1);
    if (before && before.last >= first) before.last = Math.max(before.last, last);
    else ranges.push({ first, last });
    for (let word = first; word <= last; word++) {
      weights[word] = Math.max(weights[word]!, weightAt(text, at, word));
    }
  }
  return { weights, ranges };
}

/** Returns the sentence around a word as a scope, which counts fully. */
export function sentenceScope(text: ReadText, at: number): Scope {
  const { first, last } = sentenceAround(text, at);
  const weights = new Float64Array(text.tokens.length).fill(1, first, last + 1);
  return { weights, ranges: [{ first, last }] };
}

/** Returns a text as a scope, which counts fully. */
export function textScope({ tokens }: ReadText): Scope {
  const ranges = tokens.length > 0 ? [{ first: 0, last: tokens.length - 1 }] : [];
  return { weights: new Float64Array(tokens.length).fill(1), ranges };
}

/** Adds up the opinions of a scope, each with the weight of its first word. */
export function evidenceIn({ opinions }: ReadText, { weights, ranges }: Scope): Evidence {
  const inside = ranges.flatMap((range) => opinionsWithin(opinions, range));
  return evidenceOf(inside, ({ at }) => weights[at]!);
}

function sentenceAround({ places }: ReadText, at: number): Range {
  const { sentence } = places[at]!;
  const isHere = (word: number) =>
    Math.abs(at - word) <= REACH && places[word]?.sentence === sentence;
  let first = at;
  let last = at;
  while (isHere(first - 1)) first--;
  while (isHere(last + 1)) last++;
  return { first, last };
}

function weightAt({ places }: ReadText, at: number, word: number): number {
  const here = places[at]!;
  const there = places[word]!;
  return (
    CLAUSE_DECAY ** Math.abs(there.clause - here.clause) *
    CONTRAST_DECAY ** Math.abs(there.segment - here.segment)
  );
}
