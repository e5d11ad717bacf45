import type { Wording } from '../messages/wording.ts';
import { weekday, type Business } from '../schema/business.ts';

/** From Monday to Sunday. */
const DAYS = weekday.options;
/** A Monday. */
const FIRST = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

/** Days in a row that have the same hours. */
interface OpenDays {
  /** `Monday` or `Monday to Friday`. */
  days: string;
  /** `7:30 AM – 5:30 PM`, several periods with commas, or `Closed`. */
  times: string;
  /** The days as numbers, Monday is 0. */
  dates: number[];
  /** The same hours for programs: `07:30-17:30`. */
  spans: string[];
}

/**
 * Returns the hours of a week, from Monday, every day once. The clock is that of the country: `AM`
 * and `PM` in the United States, 24 hours in Germany.
 */
export function weekHours(
  { hours, address }: Pick<Business, 'hours' | 'address'>,
  { t, language }: Wording,
): OpenDays[] {
  const [base] = language.split('-');
  const region = address?.country ?? new Intl.Locale(language).maximize().region;
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const dayOf = (date: number) => name.format(FIRST + date * DAY);
  const clock = new Intl.DateTimeFormat(`${base}-${region}-u-nu-latn`, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  const time = (text: string) =>
    clock.format(new Date(`1970-01-01T${text}Z`)).replace(/\s/g, '\u00a0');
  const runs: OpenDays[] = [];
  for (const [date, day] of DAYS.entries()) {
    const periods = hours
      .filter((period) => period.day === day)
      .sort((a, b) => (a.opens < b.opens ? -1 : 1));
    const times =
      periods.map(({ opens, closes }) => `${time(opens)}\u00a0– ${time(closes)}`).join(', ') ||
      t('hours.closed');
    const spans = periods.map(({ opens, closes }) => `${opens}-${closes}`);
    const run = runs.at(-1);
    if (run?.times === times) {
      run.dates.push(date);
      run.days = t('trend.period', { first: dayOf(run.dates[0]!), last: dayOf(date) });
    } else {
      runs.push({ days: dayOf(date), times, dates: [date], spans });
    }
  }
  return runs;
}
