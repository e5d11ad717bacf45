import type { ReviewColumns } from './review-columns.ts';
import type { SaidOfWord } from './word-opinions.ts';

/** The subject of sentiments: some people or aspects, or a word that reviews mention; undefined: the reviews. */
export type About =
  | { kind: 'technician' | 'aspect'; ids: readonly string[] }
  | { kind: 'word'; said: SaidOfWord }
  | undefined;

/** Returns the subjects of sentiments: people before aspects, so that nobody is blamed for an aspect. */
export function aboutOf(
  people: readonly string[] | undefined,
  aspects: readonly string[] | undefined,
): About {
  if (people) return { kind: 'technician', ids: people };
  return aspects && { kind: 'aspect', ids: aspects };
}

/** Returns the sentiments of each review about something, as bits, by position. */
export function sidesOf({ sides, days, values }: ReviewColumns, about: About): Uint8Array {
  if (!about) return sides;
  const own = new Uint8Array(days.length);
  if (about.kind === 'word') {
    for (const [position, sides] of about.said) own[position] = sides;
    return own;
  }
  const column = values[about.kind];
  const isAbout = Uint8Array.from(column.values, (id) => Number(about.ids.includes(id)));
  for (let position = 0; position < own.length; position++) {
    for (let at = column.starts[position]!; at < column.starts[position + 1]!; at++) {
      if (isAbout[column.ids[at]!] === 1) own[position]! |= column.sides[at]!;
    }
  }
  return own;
}
