import type { Meters } from '../base/meters.ts';

/** The interface of a search: the JSON endpoint, the page, or a tool. */
export type Door = 'http' | 'page' | 'mcp';

/** Counts searches, valid or not, except those refused by the rate limit. */
export function meterSearches(meters: Meters): (door: Door) => void {
  const name = 'reviews_searches_total';
  const count = meters.counter(name, 'Searches, by the door they came by.', ['door']);
  return (door) => count({ door });
}
