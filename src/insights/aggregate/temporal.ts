import { meanOrNull, percentageOrNull } from '../../dataset/round.ts';
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
/** A smaller change of the positive share, in points, is called stable. */
const TREND_THRESHOLD = 5;

/**
 * Counts ratings over time, up to the newest review.
 *
 * @param reviews newest first
 */
export function temporal(reviews: readonly Rated[]): Temporal {
  const newest = reviews[0]?.date;
  const since = newest === undefined ? '' : shiftDay(newest, -TREND_WINDOW_DAYS);
  const before = newest === undefined ? '' : shiftDay(newest, -2 * TREND_WINDOW_DAYS);
  const recent = trendWindow(reviews.filter(({ date }) => date > since));
  const previous = trendWindow(reviews.filter(({ date }) => date > before && date <= since));
  return {
    monthly: monthly(reviews),
    trend: trend(recent, previous),
    trend_window_days: TREND_WINDOW_DAYS,
    recent,
    previous,
  };
}

function trend(recent: Temporal['recent'], previous: Temporal['previous']): Temporal['trend'] {
  if (recent.n < TREND_MIN_REVIEWS || previous.n < TREND_MIN_REVIEWS) return 'insufficient_data';
  const change = recent.positive_pct! - previous.positive_pct!;
  if (Math.abs(change) < TREND_THRESHOLD) return 'stable';
  return change > 0 ? 'improving' : 'declining';
}

function trendWindow(reviews: readonly Rated[]): Temporal['recent'] {
  return { n: reviews.length, positive_pct: positivePct(reviews) };
}

function positivePct(reviews: readonly Rated[]): number | null {
  const positive = reviews.filter(({ rating }) => starSentiment(rating) === 'positive').length;
  return percentageOrNull(positive, reviews.length);
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
