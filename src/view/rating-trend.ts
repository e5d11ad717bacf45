import { ratingOf } from '../dataset/aggregate.ts';
import { CLEAR_Z } from '../insights/aggregate/temporal.ts';
import type { Temporal } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { lastDayOf, yearOf } from '../base/days.ts';
import type { Wording } from '../messages/wording.ts';

/** Lengths of a period, in months. */
const LENGTHS = [1, 3, 6, 12] as const;
/** A phone has room for this many points. */
const MAX_PERIODS = 36;
/** Reviews that a period should have on average, so that its mean says something. */
const ENOUGH = 8;
/** A mean of fewer reviews is not drawn. */
const FEWEST = 3;
const MAX_YEAR_LABELS = 10;
/** The reviews of a month, a quarter, half a year or a year. */
export interface Period {
  /** `May 2026`, `April to June 2026` or `2026`. */
  label: string;
  /** The first and last day of the period. */
  since: string;
  until: string;
  review_count: number;
  average_rating: number | null;
}

/** The data of a chart: average and volume, by periods of one length. */
export interface RatingTrend {
  /** Oldest first, without gaps. */
  periods: Period[];
  /** True for periods with enough reviews for a dot. */
  isDrawn: (period: Period) => boolean;
  /** The stars at the bottom of the chart, so low that chance does not look like a change; the top is 5. */
  bottom: number;
  /** The largest number of reviews in a period. */
  most: number;
  /** Beginnings of years, by the number of the period. */
  years: { label: string; at: number }[];
}

type Rated = Pick<Review, 'date' | 'rating'>;

/**
 * Returns the ratings over time, in periods so long that most have several reviews; null unless two
 * of them have a mean worth drawing.
 *
 * @param reviews newest first
 */
export function ratingTrend(reviews: readonly Rated[], words: Wording): RatingTrend | null {
  if (reviews.length === 0) return null;
  const first = monthNumber(reviews.at(-1)!.date);
  const last = monthNumber(reviews[0]!.date);
  const length = LENGTHS.find((months) => {
    const count = Math.ceil((last - first + 1) / months);
    return count <= MAX_PERIODS && reviews.length / count >= ENOUGH;
  });
  const periods = toPeriods(reviews, length ?? 12, [first, last], words);
  const isDrawn = ({ review_count }: Period) => review_count >= FEWEST;
  const drawn = periods.filter(isDrawn).map(({ average_rating }) => average_rating!);
  if (drawn.length < 2) return null;
  return {
    periods,
    isDrawn,
    bottom: Math.max(1, Math.floor(Math.min(...drawn)) - 1),
    most: Math.max(...periods.map(({ review_count }) => review_count)),
    years: yearLabels(periods),
  };
}

function toPeriods(
  reviews: readonly Rated[],
  length: number,
  [first, last]: readonly [number, number],
  words: Wording,
): Period[] {
  const indexOf = (month: number) => Math.floor(month / length);
  const byPeriod = Map.groupBy(reviews, ({ date }) => indexOf(monthNumber(date)));
  return Array.from({ length: indexOf(last) - indexOf(first) + 1 }, (_, at) => {
    const index = indexOf(first) + at;
    const { review_count, rating_value: average_rating } = ratingOf(byPeriod.get(index) ?? []);
    const from = monthText(index * length);
    const to = monthText((index + 1) * length - 1);
    return {
      label: periodName(from, to, words),
      since: `${from}-01`,
      until: lastDayOf(to),
      review_count,
      average_rating,
    };
  });
}

/** Months since the year 0. */
function monthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function monthText(month: number): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

function periodName(from: string, to: string, { t, monthName, monthOfYear }: Wording): string {
  if (from === to) return monthName(from);
  if (from.endsWith('-01') && to.endsWith('-12')) return yearOf(from);
  return t('trend.period', { first: monthOfYear(from), last: monthName(to) });
}

/** Labels the first period of every year, or of every second or third, so that labels stay apart. */
function yearLabels(periods: readonly Period[]): RatingTrend['years'] {
  const starts = periods.flatMap(({ since }, at) =>
    at === 0 || yearOf(periods[at - 1]!.since) !== yearOf(since)
      ? [{ label: yearOf(since), at }]
      : [],
  );
  const [first, second] = starts;
  const isShort = second !== undefined && !periods[0]!.since.slice(5).startsWith('01');
  const crowded = isShort && (second.at - first!.at) / periods.length < 1 / MAX_YEAR_LABELS;
  const shown = crowded ? starts.slice(1) : starts;
  const step = Math.ceil(shown.length / MAX_YEAR_LABELS);
  return shown.filter((_, at) => at % step === 0);
}

/**
 * Returns the change of the share of positive reviews, in points, that two windows of this size would
 * miss about every second time.
 */
export function unseenChange(recent: Temporal['recent'], previous: Temporal['previous']): number {
  const all = recent.n + previous.n;
  const positive = recent.positive_pct! * recent.n + previous.positive_pct! * previous.n;
  // Counts one more review of each side, because a share of all or nothing is not certain either.
  const share = (positive / 100 + 1) / (all + 2);
  return Math.round(
    100 * CLEAR_Z * Math.sqrt(share * (1 - share) * (1 / recent.n + 1 / previous.n)),
  );
}
