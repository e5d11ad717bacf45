import { z } from 'zod';
import { calendarDate, stars, ulid } from './primitives.ts';

export const SORTS = ['newest', 'oldest', 'highest', 'lowest', 'longest', 'telling'] as const;
export type Sort = (typeof SORTS)[number];

/** Orders whose key is the stars; it is the characters of the text, or how much a review tells. */
const BY_STARS: ReadonlySet<Sort> = new Set(['newest', 'oldest', 'highest', 'lowest']);

/** A place in the order of a search: the sort key, day and id of the last review of a page. */
const place = z
  .tuple([z.enum(SORTS), z.int().min(0), calendarDate, ulid])
  .refine(([sort, key]) => !BY_STARS.has(sort) || stars.safeParse(key).success)
  .transform(([sort, key, date, id]) => ({ sort, key, date, id }));
export type Cursor = z.infer<typeof place>;

/**
 * Returns a cursor as text. It names a review by its sort key, not its position, so it stays valid
 * while reviews are added or removed.
 */
export function writeCursor({ sort, key, date, id }: Cursor): string {
  return btoa(JSON.stringify([sort, key, date, id])).replace(/=+$/, '');
}

/** Reads the text of {@link writeCursor}; undefined for any other text. */
export function readCursor(text: string): Cursor | undefined {
  try {
    return place.parse(JSON.parse(atob(text)));
  } catch {
    return undefined; // not base64, not JSON, or not a place
  }
}

/** The `next` of an earlier response. */
export const cursor = z
  .string()
  .max(200)
  .refine((text) => readCursor(text) !== undefined, 'must be the next of an earlier response');
