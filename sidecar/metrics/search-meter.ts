import type { Meters } from '../base/meters.ts';

/** By which a search came: the JSON endpoint, the page, a tool. */
export type Door = 'http' | 'page' | 'mcp';

/** Counts searches that were answered or found at fault, not those that were refused as too many. */
export function meterSearches(meters: Meters): (door: Door) => void {
  const name = 'reviews_searches_total';
  const count = meters.counter(name, 'Searches, by the door they came by.', ['door']);
  return (door) => count({ door });
}
