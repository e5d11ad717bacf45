import { monthsOf, ratingOf } from '../../dataset/aggregate.ts';
import { percentageOrNull, round } from '../../base/round.ts';
import { shiftDay } from '../../base/days.ts';
import type { Month, Temporal } from '../../schema/insights.ts';
import { starSentiment } from '../analyze/polarity.ts';

interface Rated {
  date: string;
  rating: number;
}

const TREND_WINDOW_DAYS = 180;
/** With fewer reviews in either window a trend would be noise. */
const TREND_MIN_REVIEWS = 10;
/** A change that chance alone exceeds in fewer than one of ten businesses that never change. */
export const CLEAR_Z = 1.75;

/**
 * Counts ratings over time, up to the newest review.
 *
 * @param reviews newest first
 */
export function computeTemporal(reviews: readonly Rated[]): Temporal {
  const newest = reviews[0]?.date ?? '';
  const since = newest === '' ? '' : shiftDay(newest, -TREND_WINDOW_DAYS);
  const before = newest === '' ? '' : shiftDay(newest, -2 * TREND_WINDOW_DAYS);
  const recent = reviews.filter(({ date }) => date > since);
  const previous = reviews.filter(({ date }) => date > before && date <= since);
  const isEnough = Math.min(recent.length, previous.length) >= TREND_MIN_REVIEWS;
  const z = isEnough ? rankZ(starCounts(recent), starCounts(previous)) : 0;
  return {
    monthly: monthly(reviews),
    trend: isEnough ? trendOf(z) : 'insufficient_data',
    z: isEnough ? round(z, 2) : null,
    trend_window_days: TREND_WINDOW_DAYS,
    until: newest || null,
    recent: { n: recent.length, positive_pct: positivePct(recent) },
    previous: { n: previous.length, positive_pct: positivePct(previous) },
  };
}

/** Names a change of the stars, given as a z score. */
export function trendOf(z: number): 'improving' | 'stable' | 'declining' {
  if (Math.abs(z) < CLEAR_Z) return 'stable';
  return z > 0 ? 'improving' : 'declining';
}

/**
 * Returns the z score of the Mann-Whitney test of two groups of stars, positive if the first has
 * more, corrected for ties and for continuity; 0 if all stars are equal. It uses all five stars, so
 * it finds more than a test of the share of positive reviews, at as few false alarms.
 *
 * @param a numbers of reviews with 1 to 5 stars
 */
export function rankZ(a: readonly number[], b: readonly number[]): number {
  const [n, m] = [sum(a), sum(b)];
  const all = n + m;
  let wins = 0;
  let below = 0;
  let ties = 0;
  a.forEach((count, star) => {
    const equal = count + b[star]!;
    wins += count * (below + b[star]! / 2);
    below += b[star]!;
    ties += equal ** 3 - equal;
  });
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
  const difference = wins - (n * m) / 2;
  const clear = Math.max(0, Math.abs(difference) - 0.5);
  return variance > 0 ? (Math.sign(difference) * clear) / Math.sqrt(variance) : 0;
}

/** Returns the numbers of reviews with 1 to 5 stars. */
function starCounts(reviews: readonly Rated[]): number[] {
  return [1, 2, 3, 4, 5].map((star) => reviews.filter(({ rating }) => rating === star).length);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function positivePct(reviews: readonly Rated[]): number | null {
  const positive = reviews.filter(({ rating }) => starSentiment(rating) === 'positive').length;
  return percentageOrNull(positive, reviews.length);
}

function monthly(reviews: readonly Rated[]): Month[] {
  return monthsOf(reviews).map(({ month, reviews }) => {
    const { review_count, rating_value: average_rating } = ratingOf(reviews);
    return { month, review_count, average_rating, positive_pct: positivePct(reviews) };
  });
}
