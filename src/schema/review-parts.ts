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

/** Returns the praise and the criticism of a text, each of them perhaps empty; undefined if it has no such parts. */
export function partsOf(parted: PartedText): { praise: string; criticism: string } | undefined {
  const { text, criticism_at: at } = parted;
  if (text == null || at === undefined || !isParted(parted)) return undefined;
  return { praise: text.slice(0, at).trimEnd(), criticism: text.slice(at) };
}

/** A text without parts, or one part of a text. */
interface Passage {
  side?: 'praise' | 'criticism';
  text: string;
  /** The position of the part in the text. */
  start: number;
}

/** Returns the parts of a text that are not empty, or all of it; nothing without a text. */
export function passagesOf(parted: PartedText): Passage[] {
  const { text, criticism_at: at = 0 } = parted;
  if (text == null) return [];
  const parts = partsOf(parted);
  if (!parts) return [{ text, start: 0 }];
  const passages: Passage[] = [
    { side: 'praise', text: parts.praise, start: 0 },
    { side: 'criticism', text: parts.criticism, start: at },
  ];
  return passages.filter((passage) => passage.text !== '');
}

/** Returns a text with a label before each of its parts, for readers of plain text. */
export function labeledText(
  parted: PartedText,
  labels: Record<'praise' | 'criticism', string>,
): string | null {
  const written = passagesOf(parted).map(({ side, text }) =>
    side ? `${labels[side]}: ${text}` : text,
  );
  return written.length > 0 ? written.join(BETWEEN) : null;
}

/** Returns the texts that a quote must be a piece of: the title, and the text or each part of it. */
export function quotablePieces(
  review: PartedText & { title?: string | null | undefined },
): string[] {
  const texts = passagesOf(review).map(({ text }) => text);
  return review.title == null ? texts : [review.title, ...texts];
}

/** Returns the index of a quote in a text, -1 if absent; criticism is looked for in its own part first. */
export function placeOfQuote(parted: PartedText, quote: string, sentiment: string): number {
  const { text, criticism_at: at = 0 } = parted;
  const found = sentiment === 'negative' ? text?.indexOf(quote, at) : -1;
  return found === undefined || found === -1 ? (text?.indexOf(quote) ?? -1) : found;
}

/** Shortens a text to a number of letters; of two parts each has half of them, or the rest of the other's. */
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
