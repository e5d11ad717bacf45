import type { Sentiment } from '../../schema/insights.ts';
import type { Place } from './clauses.ts';
import { opinionsBetween, type Opinion } from './opinions.ts';
import type { Targets } from './targets.ts';

/** The parts of a text that its polarity depends on. */
export interface OpinionatedText {
  places: readonly Place[];
  opinions: readonly Opinion[];
}

/** Summed positive and negative scores, and the number of opinions. */
export interface Evidence {
  good: number;
  bad: number;
  count: number;
}

/** Returns the evidence of one opinion. */
export function evidenceOf({ score }: Opinion, weight: number): Evidence {
  const worth = score * weight;
  return { good: Math.max(0, worth), bad: Math.max(0, -worth), count: weight };
}

/** Adds up evidence. */
export function sumEvidence(evidence: readonly Evidence[]): Evidence {
  const total = { good: 0, bad: 0, count: 0 };
  for (const { good, bad, count } of evidence) {
    total.good += good;
    total.bad += bad;
    total.count += count;
  }
  return total;
}

/** Scores within this distance of 0 are neutral. */
const NEUTRAL = 0.1;
/** Opinions farther away, in words, are about something else. */
const REACH = 60;
/** Factor of an opinion's weight for each clause between it and its target. */
const CLAUSE_DECAY = 0.5;
/** Factor for each contrast (`but`) in between. */
const CONTRAST_DECAY = 0.2;
/** Factor if it is closer to another target. */
const RIVAL_DECAY = 0.3;

/**
 * Collects a sentence's evidence about the target at `at`. Opinions of the same clause count fully;
 * others count less with distance, and less if another target is closer.
 */
export function evidenceAt(text: OpinionatedText, at: number, targets: Targets): Evidence {
  const evidence: Evidence[] = [];
  for (const opinion of opinionsBetween(text.opinions, at - REACH, at + REACH)) {
    const here = text.places[targets.nearest(at, opinion.at)]!;
    const there = text.places[opinion.at]!;
    if (there.sentence !== here.sentence) continue;
    const weight =
      CLAUSE_DECAY ** Math.abs(there.clause - here.clause) *
      CONTRAST_DECAY ** Math.abs(there.segment - here.segment) *
      (targets.rivals(at, opinion.at) ? RIVAL_DECAY : 1);
    evidence.push(evidenceOf(opinion, weight));
  }
  return sumEvidence(evidence);
}

/** Returns a score from -1 to 1. The stars are a prior that fades as the text has more opinions. */
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

/** Returns the sentiment of a review: 4 and 5 stars are positive, 3 neutral, 1 and 2 negative. */
export function starSentiment(rating: number): Sentiment {
  if (rating >= 4) return 'positive';
  return rating === 3 ? 'neutral' : 'negative';
}

/** Returns the stars on a scale from -1 to 1. */
export function starScore(rating: number): number {
  return (rating - 3) / 2;
}
