import { meanOrNull, round } from '../dataset/round.ts';
import type { Month } from '../schema/insights.ts';
import { yearOf } from './words.ts';

/** Months averaged by the line, up to and including the current one. */
export const WINDOW = 12;
const MAX_YEAR_LABELS = 10;

/** Stars and number of reviews of a span of months. */
export interface RatedSpan {
  label: string;
  review_count: number;
  average_rating: number | null;
}

/** A chart on a square of 100 by 100, y downwards; paths are SVG path data. */
export interface RatingTrend {
  /** A dot for the mean of each month with reviews: five stars at y 0, one star at y 100. */
  months: string;
  /** The mean of all reviews of the last {@link WINDOW} months; empty for a shorter history. */
  rolling: string;
  /** A bar from y 100 upwards for the number of reviews of each month. */
  volume: string;
  /** Beginnings of years. */
  years: { label: string; x: number }[];
  /** The same data year by year, oldest first. */
  byYear: RatedSpan[];
  /** The last {@link WINDOW} months. */
  recent: RatedSpan;
}

/**
 * Draws the ratings of all months; null unless at least two months have reviews.
 *
 * @param monthly oldest first, without gaps
 */
export function ratingTrend(monthly: readonly Month[]): RatingTrend | null {
  const rated = monthly.filter(({ average_rating }) => average_rating !== null);
  if (rated.length < 2) return null;
  const x = (at: number) => round(((at + 0.5) / monthly.length) * 100, 2);
  const y = (rating: number) => round(((5 - rating) / 4) * 100, 1);
  const most = Math.max(...monthly.map(({ review_count }) => review_count));

  const months: string[] = [];
  const volume: string[] = [];
  const rolling: string[] = [];
  for (const [at, { average_rating, review_count }] of monthly.entries()) {
    if (average_rating !== null) months.push(`M${x(at)} ${y(average_rating)}h0`);
    if (review_count > 0)
      volume.push(`M${x(at)} 100V${round(100 - (review_count / most) * 100, 1)}`);
    if (at + 1 < WINDOW) continue;
    const { average_rating: mean } = span('', monthly.slice(at + 1 - WINDOW, at + 1));
    if (mean !== null) rolling.push(`${x(at)} ${y(mean)}`);
  }
  return {
    months: months.join(''),
    rolling: rolling.length > 1 ? `M${rolling.join('L')}` : '',
    volume: volume.join(''),
    years: yearLabels(monthly, x),
    byYear: byYear(monthly),
    recent: span(`last ${WINDOW} months`, monthly.slice(-WINDOW)),
  };
}

function span(label: string, months: readonly Month[]): RatedSpan {
  const count = months.reduce((sum, { review_count }) => sum + review_count, 0);
  const stars = months.reduce(
    (sum, { average_rating, review_count }) => sum + (average_rating ?? 0) * review_count,
    0,
  );
  return { label, review_count: count, average_rating: meanOrNull(stars, count) };
}

function byYear(monthly: readonly Month[]): RatedSpan[] {
  const years = Map.groupBy(monthly, ({ month }) => yearOf(month));
  return [...years].map(([year, months]) => span(year, months));
}

/** Labels every January, or every second or third, so that labels do not overlap on a phone. */
function yearLabels(monthly: readonly Month[], x: (at: number) => number): RatingTrend['years'] {
  const januaries = monthly.flatMap(({ month }, at) =>
    at === 0 || month.endsWith('-01') ? [{ label: yearOf(month), x: x(at) }] : [],
  );
  const first = januaries[0];
  const crowded = januaries.length > 1 && januaries[1]!.x - first!.x < 100 / MAX_YEAR_LABELS;
  const apart = crowded && !monthly[0]!.month.endsWith('-01') ? januaries.slice(1) : januaries;
  const step = Math.ceil(apart.length / MAX_YEAR_LABELS);
  return apart.filter((_, at) => at % step === 0);
}
