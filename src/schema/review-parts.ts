import { beginningOf, oneLine } from './invisible.ts';

const BETWEEN = '\n\n';

/** A text that may be of two parts. */
interface PartedText {
  text?: string | null | undefined;
  /** Where the complaint begins, in UTF-16 code units; everything before it is praise. */
  complaint_at?: number | undefined;
}

/** Joins praise and complaint, each of which may be empty, into one text. */
export function joinParts(
  praise: string,
  complaint: string,
): { text: string; complaint_at: number } {
  const start = praise !== '' && complaint !== '' ? praise + BETWEEN : praise;
  return { text: start + complaint, complaint_at: start.length };
}

/** Returns the praise and the complaint of a text, either of them perhaps empty; undefined if it has no such parts. */
export function partsOf(parted: PartedText): { praise: string; complaint: string } | undefined {
  const { text, complaint_at: at } = parted;
  if (text == null || at === undefined || !isParted(parted)) return undefined;
  return { praise: text.slice(0, at).trimEnd(), complaint: text.slice(at) };
}

/** Returns the pieces of a review that a quote may be of: its title, and its text or each part of that. */
export function quotablePieces(
  review: PartedText & { title?: string | null | undefined },
): string[] {
  const { praise, complaint } = partsOf(review) ?? { praise: review.text, complaint: null };
  return [review.title, praise, complaint].filter(
    (piece) => piece != null && piece !== '',
  ) as string[];
}

/** Returns where a text has a quote, -1 if nowhere; criticism is looked for in the complaint first. */
export function placeOfQuote(parted: PartedText, quote: string, sentiment: string): number {
  const { text, complaint_at: at = 0 } = parted;
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
  const { praise, complaint } = parts;
  return joinParts(within(praise, complaint), within(complaint, praise));
}

/** Tells whether the complaint of a text begins at its start, at its end or at a paragraph. */
export function isParted({ text, complaint_at: at }: PartedText): boolean {
  if (text == null || at === undefined) return false;
  return (
    at === 0 || at === text.length || (at < text.length && text.slice(0, at).endsWith(BETWEEN))
  );
}
