/** Work that pauses, so that others get their turn in between. */
export type Pieces<T> = Generator<void, T>;

/** Items that are looked at between two pauses; it takes about a millisecond. */
const PIECE = 2_048;

/** Returns the items that pass a test. @param piece items that are looked at between two pauses */
export function* filterInPieces<T>(
  items: readonly T[],
  isWanted: (item: T) => boolean,
  piece = PIECE,
): Pieces<T[]> {
  const wanted: T[] = [];
  for (let at = 0; at < items.length; at += piece) {
    if (at > 0) yield;
    addWanted(wanted, items, isWanted, at, Math.min(items.length, at + piece));
  }
  return wanted;
}

/** A loop of its own, because V8 makes slow code of those in generators. */
function addWanted<T>(
  wanted: T[],
  items: readonly T[],
  isWanted: (item: T) => boolean,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) if (isWanted(items[at]!)) wanted.push(items[at]!);
}

/** Does work without its pauses. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}
