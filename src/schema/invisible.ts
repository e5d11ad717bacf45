/**
 * Every character without a shape of its own: C0 and C1 controls except tab and line feed, marks
 * that reorder text, zero-width characters, variation selectors, tag characters, and code points
 * that are no characters.
 */
const INVISIBLE =
  /\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|[\0-\x08\x0b-\x1f\x7f-\x9f\ufff9-\ufffb]/gu;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const WITHOUT_SPACES =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
const END_OF_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u{e007f}]/u;
const EMOJI = /\p{Emoji}/u;
const HAN = /\p{Script=Han}/u;
const MONGOLIAN = /\p{Script=Mongolian}/u;

/** England, Scotland and Wales, the only flags written with tag characters. */
const TAG_FLAGS =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

/** A character that nobody sees, and the reader's text does not need. */
interface Invisible {
  /** In UTF-16 units. */
  index: number;
  character: string;
}

/**
 * Lists the invisible characters that may hide or reorder words. Those that writing needs are left
 * out: joiners inside emoji and in scripts that join, direction marks beside right-to-left letters,
 * spaces of no width where words have no spaces, and variation selectors.
 */
export function invisibleCharacters(text: string): Invisible[] {
  if (text.search(INVISIBLE) === -1) return [];
  const flags = [...text.matchAll(TAG_FLAGS)].map(({ index, 0: flag }) => [
    index,
    index + flag.length,
  ]);
  const rightToLeft = RIGHT_TO_LEFT.test(text);
  const found: Invisible[] = [];
  let previousEnd = 0;
  /** The character before this one, unless it was removed. */
  let before = '';
  for (const { index, 0: character } of text.matchAll(INVISIBLE)) {
    if (index > previousEnd) before = lastCharacter(text, index);
    previousEnd = index + character.length;
    const next = String.fromCodePoint(text.codePointAt(previousEnd) ?? 0);
    const inFlag = flags.some(([start, end]) => index > start! && index < end!);
    if (inFlag || isNeeded(character, before, next, rightToLeft)) before = character;
    else found.push({ index, character });
  }
  return found;
}

export function withoutInvisible(text: string): { text: string; removed: number } {
  const found = invisibleCharacters(text);
  return { text: replaceAt(text, found, () => ''), removed: found.length };
}

/** Escapes each of {@link invisibleCharacters} as `\u{202E}`, for terminals and logs. */
export function escapeInvisible(text: string): string {
  const escaped = (character: string) =>
    `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;
  return replaceAt(text, invisibleCharacters(text), escaped);
}

function replaceAt(
  text: string,
  found: readonly Invisible[],
  replacement: (character: string) => string,
): string {
  let kept = '';
  let start = 0;
  for (const { index, character } of found) {
    kept += text.slice(start, index) + replacement(character);
    start = index + character.length;
  }
  return kept + text.slice(start);
}

/** Returns the beginning of a text on one line, cut between words if it is longer than `length`. */
export function beginningOf(text: string, length: number): string {
  const line = oneLine(text);
  if (line.length <= length) return line;
  const cut = line.lastIndexOf(' ', length);
  return `${line.slice(0, cut > 0 ? cut : length).toWellFormed()}…`;
}

/** Replaces each run of blanks and line breaks with one space. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function isNeeded(character: string, before: string, next: string, rightToLeft: boolean): boolean {
  const code = character.codePointAt(0)!;
  switch (true) {
    case code === 0x200e || code === 0x200f || code === 0x61c:
      return rightToLeft;
    case code === 0x200c:
      return JOINING.test(before);
    case code === 0x200d:
      return JOINING.test(before) || (END_OF_EMOJI.test(before) && PICTOGRAPH.test(next));
    case code === 0x200b:
      return WITHOUT_SPACES.test(before);
    case code === 0xfe0e || code === 0xfe0f:
      return EMOJI.test(before);
    case code >= 0xe0100 && code <= 0xe01ef:
      return HAN.test(before);
    case code >= 0x180b && code <= 0x180f && code !== 0x180e:
      return MONGOLIAN.test(before);
    default:
      return false;
  }
}

function lastCharacter(text: string, end: number): string {
  const start = end - 2;
  const pair = start >= 0 ? text.codePointAt(start)! : 0;
  return pair > 0xffff ? String.fromCodePoint(pair) : text.slice(Math.max(0, end - 1), end);
}

/** `U+202E`, as messages name a character that cannot be shown. */
export function codePointName(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
