import type { Sentiment } from '../schema/insights.ts';
import type { Place } from './clauses.ts';
import type { Opinion } from './opinions.ts';
import type { Targets } from './targets.ts';

/** A text as the polarity of its parts needs it. */
export interface OpinionatedText {
  places: readonly Place[];
  opinions: readonly Opinion[];
}

/** What speaks for a polarity: the sum of scores, and how many opinions it comes from. */
export interface Evidence {
  sum: number;
  count: number;
}

/** Between these a score says neither good nor bad. */
const NEUTRAL = 0.1;
/** An opinion loses this much with each clause between it and what it may be about. */
const CLAUSE_DECAY = 0.5;
/** And this much behind a `but`. */
const TURN_DECAY = 0.2;
/** And this much where it is nearer to something else the text speaks of. */
const RIVAL_DECAY = 0.3;

/**
 * What a sentence says about the thing at `at`: opinions of the same clause count whole, others of
 * the sentence the less the farther they are, and the less where another thing is nearer.
 */
export function evidenceAt(text: OpinionatedText, at: number, targets: Targets): Evidence {
  let sum = 0;
  let count = 0;
  for (const opinion of text.opinions) {
    const here = text.places[targets.nearest(at, opinion.at)]!;
    const there = text.places[opinion.at]!;
    if (there.sentence !== here.sentence) continue;
    const weight =
      CLAUSE_DECAY ** Math.abs(there.clause - here.clause) *
      TURN_DECAY ** Math.abs(there.turn - here.turn) *
      (targets.rivals(at, opinion.at) ? RIVAL_DECAY : 1);
    sum += opinion.score * weight;
    count += weight;
  }
  return { sum, count };
}

/**
 * A score from -1 to 1: the text's own evidence, with the stars as a prior that fades as the text
 * says more.
 */
export function score({ sum, count }: Evidence, stars: number): number {
  const prior = 0.2 * ((stars - 3) / 2) * Math.exp(-0.1 * count);
  const own = sum / Math.sqrt(sum * sum + 15);
  return Math.max(-1, Math.min(1, own + prior));
}

export function polarity(value: number): Sentiment {
  if (value > NEUTRAL) return 'positive';
  return value < -NEUTRAL ? 'negative' : 'neutral';
}
