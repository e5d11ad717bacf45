import { beginningOf, oneLine } from './invisible.ts';

const BETWEEN = '\n\n';

/** A text that may be of two parts. */
interface PartedText {
  text?: string | null | undefined;
  /** Position at which the criticism begins, in UTF-16 code units; everything before it is praise. */
  criticism_at?: number | undefined;
}

/** Joins praise and criticism, each of which may be empty, into one text. */
export function joinParts(
  praise: string,
  criticism: string,
): { text: string; criticism_at: number } {
  const start = praise !== '' && criticism !== '' ? praise + BETWEEN : praise;
  return { text: start + criticism, criticism_at: start.length };
}

/** Returns the praise and the criticism of a text, either of them perhaps empty; undefined if it has no such parts. */
export function partsOf(parted: PartedText): { praise: string; criticism: string } | undefined {
  const { text, criticism_at: at } = parted;
  if (text == null || at === undefined || !isParted(parted)) return undefined;
  return { praise: text.slice(0, at).trimEnd(), criticism: text.slice(at) };
}

/** Returns the pieces of a review that a quote may be of: its title, and its text or each part of that. */
export function quotablePieces(
  review: PartedText & { title?: string | null | undefined },
): string[] {
  const { praise, criticism } = partsOf(review) ?? { praise: review.text, criticism: null };
  return [review.title, praise, criticism].filter(
    (piece) => piece != null && piece !== '',
  ) as string[];
}

/** Returns where a text has a quote, -1 if nowhere; negative ones are looked for in the criticism first. */
export function placeOfQuote(parted: PartedText, quote: string, sentiment: string): number {
  const { text, criticism_at: at = 0 } = parted;
  const found = sentiment === 'negative' ? text?.indexOf(quote, at) : -1;
  return found === undefined || found === -1 ? (text?.indexOf(quote) ?? -1) : found;
}

/** Shortens a text to so many letters; where it has two parts, each may have half of them or what the other leaves. */
export function shortened(parted: PartedText, length: number): PartedText {
  const { text } = parted;
  const parts = partsOf(parted);
  if (!parts) return { text: text == null ? text : beginningOf(text, length) };
  const within = (part: string, other: string) =>
    beginningOf(part, Math.max(length / 2, length - oneLine(other).length));
  const { praise, criticism } = parts;
  return joinParts(within(praise, criticism), within(criticism, praise));
}

/** Tells whether the criticism of a text begins at its start, at its end or at a paragraph. */
export function isParted({ text, criticism_at: at }: PartedText): boolean {
  if (text == null || at === undefined) return false;
  return (
    at === 0 || at === text.length || (at < text.length && text.slice(0, at).endsWith(BETWEEN))
  );
}
