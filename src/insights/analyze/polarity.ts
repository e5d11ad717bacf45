import type { Sentiment } from '../../schema/insights.ts';
import type { Place } from './clauses.ts';
import { opinionsBetween, type Opinion } from './opinions.ts';
import type { Targets } from './targets.ts';

/** A text as the polarity of its parts needs it. */
export interface OpinionatedText {
  places: readonly Place[];
  opinions: readonly Opinion[];
}

/** What speaks for a polarity: what is said for it, against it, and in how many opinions. */
export interface Evidence {
  good: number;
  bad: number;
  count: number;
}

/** What one opinion says, with the weight it has at a place. */
export function said({ score }: Opinion, weight: number): Evidence {
  const worth = score * weight;
  return { good: Math.max(0, worth), bad: Math.max(0, -worth), count: weight };
}

/** The evidence of several places together. */
export function together(evidence: readonly Evidence[]): Evidence {
  const total = { good: 0, bad: 0, count: 0 };
  for (const { good, bad, count } of evidence) {
    total.good += good;
    total.bad += bad;
    total.count += count;
  }
  return total;
}

/** Between these a score says neither good nor bad. */
const NEUTRAL = 0.1;
/** What a text says this many words away is about something else. */
const REACH = 60;
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
  const evidence: Evidence[] = [];
  for (const opinion of opinionsBetween(text.opinions, at - REACH, at + REACH)) {
    const here = text.places[targets.nearest(at, opinion.at)]!;
    const there = text.places[opinion.at]!;
    if (there.sentence !== here.sentence) continue;
    const weight =
      CLAUSE_DECAY ** Math.abs(there.clause - here.clause) *
      TURN_DECAY ** Math.abs(there.turn - here.turn) *
      (targets.rivals(at, opinion.at) ? RIVAL_DECAY : 1);
    evidence.push(said(opinion, weight));
  }
  return together(evidence);
}

/**
 * A score from -1 to 1: the text's own evidence, with the stars as a prior that fades as the text
 * says more.
 */
export function score({ good, bad, count }: Evidence, stars: number): number {
  const sum = good - bad;
  const prior = 0.2 * ((stars - 3) / 2) * Math.exp(-0.1 * count);
  const own = sum / Math.sqrt(sum * sum + 15);
  return Math.max(-1, Math.min(1, own + prior));
}

export function polarity(value: number): Sentiment {
  if (value > NEUTRAL) return 'positive';
  return value < -NEUTRAL ? 'negative' : 'neutral';
}
