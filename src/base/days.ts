/** `2026-05-14` → 20260514: ordered like the days themselves. */
export function dayNumber(date: string): number {
  return Number(date.slice(0, 4) + date.slice(5, 7) + date.slice(8, 10));
}

/** `shiftDay('2026-03-01', -1)` → `2026-02-28`. */
export function shiftDay(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** `2026-02` → `2026-02-28`. */
export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
}

/** Returns the days from one day to a later one; 0 if it is earlier. */
export function daysUntil(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));
}

export function yearOf(date: string): string {
  return date.slice(0, 4);
}
