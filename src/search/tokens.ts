/** The separator between most words. */
export const SPACE = ' ';

/**
 * Returns the form in which texts and queries are compared: NFC, lower case, and the curly apostrophe
 * that phones type as the plain one. Nothing else changes, so a substring stays a substring.
 */
export function fold(text: string): string {
  return text.toWellFormed().normalize('NFC').toLowerCase().replaceAll('\u2019', "'");
}

const WORD = /[\p{L}\p{N}'’]/u;

const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  WORD.test(String.fromCharCode(code)) ? 1 : 0,
);
const beyondAscii = new Map<number, boolean>();

function isWordCharacter(codePoint: number): boolean {
  if (codePoint < 128) return ASCII_WORD[codePoint] === 1;
  let known = beyondAscii.get(codePoint);
  if (known === undefined) {
    known = WORD.test(String.fromCodePoint(codePoint));
    beyondAscii.set(codePoint, known);
  }
  return known;
}

/** Tells words from separators: all characters of a token are of one kind. */
export function isWord(token: string): boolean {
  return isWordCharacter(token.codePointAt(0)!);
}

/**
 * Splits folded text into tokens: words (letters, digits, apostrophes) and the separators between
 * them, in turn. Joined, the tokens are the text again, so a search over tokens is exact.
 */
export function tokenize(folded: string): string[] {
  const tokens: string[] = [];
  let start = 0;
  let inWord = false;
  for (let at = 0; at < folded.length;) {
    const code = folded.charCodeAt(at);
    const codePoint = code < 0xd800 || code > 0xdbff ? code : folded.codePointAt(at)!;
    const isInWord = isWordCharacter(codePoint);
    if (isInWord !== inWord && at > 0) {
      tokens.push(folded.slice(start, at));
      start = at;
    }
    inWord = isInWord;
    at += codePoint > 0xffff ? 2 : 1;
  }
  if (folded.length > 0) tokens.push(folded.slice(start));
  return tokens;
}

/** Drops the single spaces between words; those at either end stay. */
export function withoutSpaces(tokens: readonly string[]): string[] {
  const last = tokens.length - 1;
  return tokens.filter((token, at) => token !== SPACE || at === 0 || at === last);
}

/** Numbers of terms. */
export type Terms = Uint16Array | Uint32Array;

/**
 * The documents as sequences of term numbers. Single spaces between words are left out: two
 * adjacent words always have one between them, so the sequence still determines the text.
 */
export interface ForwardIndex {
  /** The terms of all documents, one document after the other. */
  tokens: Terms;
  /** The position of each document in `tokens`, and one more at the end. */
  starts: Uint32Array;
  /** Documents that have a single space left out, ascending. */
  spaced: Uint32Array;
}

/**
 * Builds the forward index of some texts.
 *
 * @param texts null where a document has no text
 * @param numbers of the terms; unknown ones are added
 */
export function buildForwardIndex(
  documents: number,
  texts: Iterable<string | null>,
  numbers: Map<string, number>,
): ForwardIndex {
  let sequence = new Uint32Array(1 << 16);
  let length = 0;
  const starts = new Uint32Array(documents + 1);
  const spaced: number[] = [];
  let document = 0;
  for (const text of texts) {
    const tokens = text === null ? [] : tokenize(fold(text));
    const kept = withoutSpaces(tokens);
    if (kept.length < tokens.length) spaced.push(document);
    for (const token of kept) {
      let number = numbers.get(token);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(token, number);
      }
      if (length === sequence.length) {
        sequence = new Uint32Array(sequence.buffer.transfer(sequence.byteLength * 2));
      }
      sequence[length++] = number;
    }
    starts[++document] = length;
  }
  const Numbers = numbers.size < 0x10000 ? Uint16Array : Uint32Array; // the next number means none
  return {
    tokens: Numbers.from(sequence.subarray(0, length)),
    starts,
    spaced: Uint32Array.from(spaced),
  };
}

/**
 * Returns the term beside each of some positions; the number of terms where a document ends.
 *
 * @param documents that the positions lie in
 */
export function termsBeside(
  positions: Uint32Array,
  documents: Uint32Array,
  step: -1 | 1,
  { tokens, starts }: ForwardIndex,
  terms: number,
): Terms {
  const Numbers = tokens instanceof Uint16Array ? Uint16Array : Uint32Array;
  const found = new Numbers(positions.length);
  for (let at = 0; at < found.length; at++) {
    const document = documents[at]!;
    const beside = positions[at]! + step;
    const isInside = beside >= starts[document]! && beside < starts[document + 1]!;
    found[at] = isInside ? tokens[beside]! : terms;
  }
  return found;
}
