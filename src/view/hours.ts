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
export interface OpenDays {
  /** `Monday` or `Monday to Friday`. */
  days: string;
  /** `7:30 AM – 5:30 PM`, several periods with commas, or `Closed`. */
  times: string;
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
  const timesOf = (day: string) =>
    hours
      .filter((period) => period.day === day.toLowerCase())
      .sort((a, b) => (a.opens < b.opens ? -1 : 1))
      .map(({ opens, closes }) => `${time(opens)}\u00a0– ${time(closes)}`)
      .join(', ') || 'Closed';
  const runs: { first: string; last: string; times: string }[] = [];
  for (const day of DAYS) {
    const times = timesOf(day);
    const run = runs.at(-1);
    if (run?.times === times) run.last = day;
    else runs.push({ first: day, last: day, times });
  }
  return runs.map(({ first, last, times }) => ({
    days: first === last ? first : `${first} to ${last}`,
    times,
  }));
}
