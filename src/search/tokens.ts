const WORD = /[\p{L}\p{N}'’]/u;

const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  WORD.test(String.fromCharCode(code)) ? 1 : 0,
);
const wide = new Map<number, boolean>();

function isWord(codePoint: number): boolean {
  if (codePoint < 128) return ASCII_WORD[codePoint] === 1;
  let known = wide.get(codePoint);
  if (known === undefined) {
    known = WORD.test(String.fromCodePoint(codePoint));
    wide.set(codePoint, known);
  }
  return known;
}

/** Whether a run is a word; it is one throughout, or not at all. */
export function startsWithWord(run: string): boolean {
  return isWord(run.codePointAt(0)!);
}

/**
 * Splits folded text into runs: words (letters, digits, apostrophes) and what stands between them,
 * in turn. Joined they are the text again, which is what makes a search over runs exact.
 */
export function splitRuns(folded: string, emit: (run: string) => void): void {
  const { length } = folded;
  let start = 0;
  let word = false;
  for (let at = 0; at < length;) {
    const code = folded.charCodeAt(at);
    const codePoint = code < 0xd800 || code > 0xdbff ? code : folded.codePointAt(at)!;
    const next = isWord(codePoint);
    if (at === 0) word = next;
    else if (next !== word) {
      emit(folded.slice(start, at));
      start = at;
      word = next;
    }
    at += codePoint > 0xffff ? 2 : 1;
  }
  if (length > 0) emit(folded.slice(start));
}
