import type { InsightsDataset } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';

/** Fewer mentions before or after say nothing. */
const ENOUGH = 8;
/** Greatest chance that a random order of mentions looks like an end of criticism. */
const MAX_CHANCE = 0.01;

/** An aspect whose criticism ended. */
export interface SinceThen {
  /** Day of its last critical mention. */
  last: string;
  /** Mentions up to that day, and those of them that are critical. */
  before: number;
  critical: number;
  /** Mentions after it, none of them critical. */
  after: number;
}

/**
 * Returns the end of the criticism of each aspect that has one, by its id: at least eight mentions after
 * the last critical one, as many before, and a chance below 1 in 100 that the ranks of the critical ones
 * in time lie so early by accident.
 *
 * @param reviews newest first
 */
export function endsOfCriticism(
  reviews: readonly Pick<Review, 'id' | 'date'>[],
  perReview: InsightsDataset['per_review'],
): Map<string, SinceThen> {
  const mentions = new Map<string, { date: string; isCritical: boolean }[]>();
  for (const { id, date } of reviews) {
    for (const aspect of perReview[id]!.aspects) {
      const mention = { date, isCritical: aspect.sentiment === 'negative' };
      const list = mentions.get(aspect.id);
      if (list) list.push(mention);
      else mentions.set(aspect.id, [mention]);
    }
  }
  const ends = new Map<string, SinceThen>();
  for (const [aspect, list] of mentions) {
    const newest = list.find(({ isCritical }) => isCritical);
    if (!newest) continue;
    const after = list.filter(({ date }) => date > newest.date).length;
    const before = list.length - after;
    const critical = list.filter(({ isCritical }) => isCritical).length;
    if (Math.min(after, before) < ENOUGH || chanceOf(list.length, critical, after) > MAX_CHANCE)
      continue;
    ends.set(aspect, { last: newest.date, before, critical, after });
  }
  return ends;
}

/** Returns the chance that the last mentions of all have no critical one, if all orders are equal. */
function chanceOf(all: number, critical: number, after: number): number {
  let chance = 1;
  for (let at = 0; at < critical; at++) chance *= (all - after - at) / (all - at);
  return chance;
}
