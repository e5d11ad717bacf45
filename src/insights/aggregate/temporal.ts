import { meanOrNull, percentageOrNull, round } from '../../dataset/round.ts';
import { shiftDay } from '../../dataset/since.ts';
import type { Month, Temporal } from '../../schema/insights.ts';
import { starSentiment } from '../analyze/polarity.ts';

interface Rated {
  date: string;
  rating: number;
}

const TREND_WINDOW_DAYS = 180;
/** With fewer reviews in either window a trend would be noise. */
const TREND_MIN_REVIEWS = 10;
/** A change that chance alone would exceed in one of ten businesses that never change. */
const CLEAR_Z = 1.64;

/**
 * Counts ratings over time, up to the newest review.
 *
 * @param reviews newest first
 */
export function computeTemporal(reviews: readonly Rated[]): Temporal {
  const newest = reviews[0]?.date;
  const since = newest === undefined ? '' : shiftDay(newest, -TREND_WINDOW_DAYS);
  const before = newest === undefined ? '' : shiftDay(newest, -2 * TREND_WINDOW_DAYS);
  const recent = reviews.filter(({ date }) => date > since);
  const previous = reviews.filter(({ date }) => date > before && date <= since);
  const isEnough = Math.min(recent.length, previous.length) >= TREND_MIN_REVIEWS;
  const z = twoProportionZ(positives(recent), recent.length, positives(previous), previous.length);
  return {
    monthly: monthly(reviews),
    trend: isEnough ? trendOf(z) : 'insufficient_data',
    z: isEnough ? round(z, 2) : null,
    trend_window_days: TREND_WINDOW_DAYS,
    recent: { n: recent.length, positive_pct: positivePct(recent) },
    previous: { n: previous.length, positive_pct: positivePct(previous) },
  };
}

/** Names a change of the share of positive reviews, given as a z score. */
export function trendOf(z: number): 'improving' | 'stable' | 'declining' {
  if (Math.abs(z) < CLEAR_Z) return 'stable';
  return z > 0 ? 'improving' : 'declining';
}

/**
 * Returns the z score of the difference between two shares, `a` of `n` and `b` of `m`, with the
 * correction for continuity; without it, small windows would raise more false alarms than one in
 * ten.
 */
export function twoProportionZ(a: number, n: number, b: number, m: number): number {
  const pooled = (a + b) / (n + m);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
  const difference = a / n - b / m;
  const clear = Math.max(0, Math.abs(difference) - (1 / n + 1 / m) / 2);
  return deviation > 0 ? (Math.sign(difference) * clear) / deviation : 0;
}

function positives(reviews: readonly Rated[]): number {
  return reviews.filter(({ rating }) => starSentiment(rating) === 'positive').length;
}

function positivePct(reviews: readonly Rated[]): number | null {
  return percentageOrNull(positives(reviews), reviews.length);
}

function monthly(reviews: readonly Rated[]): Month[] {
  const byMonth = Map.groupBy(reviews, ({ date }) => date.slice(0, 7));
  return monthsBetween(reviews.at(-1)?.date, reviews[0]?.date).map((month) => {
    const inMonth = byMonth.get(month) ?? [];
    const sum = inMonth.reduce((total, { rating }) => total + rating, 0);
    return {
      month,
      review_count: inMonth.length,
      average_rating: meanOrNull(sum, inMonth.length),
      positive_pct: positivePct(inMonth),
    };
  });
}

function monthsBetween(earliest: string | undefined, latest: string | undefined): string[] {
  if (earliest === undefined || latest === undefined) return [];
  const months: string[] = [];
  const day = new Date(`${earliest.slice(0, 7)}-01T00:00:00Z`);
  for (const last = latest.slice(0, 7); ; day.setUTCMonth(day.getUTCMonth() + 1)) {
    const month = day.toISOString().slice(0, 7);
    months.push(month);
    if (month >= last) return months;
  }
}
