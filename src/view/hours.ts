import type { Business } from '../schema/business.ts';

const DAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

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
export function weekHours({ hours, address }: Pick<Business, 'hours' | 'address'>): OpenDays[] {
  const clock = new Intl.DateTimeFormat(`en-${address?.country ?? 'US'}`, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  const time = (text: string) =>
    clock.format(new Date(`1970-01-01T${text}Z`)).replace(/\s/g, '\u00a0');
  const runs: OpenDays[] = [];
  for (const [date, day] of DAYS.entries()) {
    const periods = hours
      .filter((period) => period.day === day.toLowerCase())
      .sort((a, b) => (a.opens < b.opens ? -1 : 1));
    const times =
      periods.map(({ opens, closes }) => `${time(opens)}\u00a0– ${time(closes)}`).join(', ') ||
      'Closed';
    const spans = periods.map(({ opens, closes }) => `${opens}-${closes}`);
    const run = runs.at(-1);
    if (run?.times === times) {
      run.dates.push(date);
      run.days = `${DAYS[run.dates[0]!]} to ${day}`;
    } else {
      runs.push({ days: day, times, dates: [date], spans });
    }
  }
  return runs;
}
