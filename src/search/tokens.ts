const UNSPACED_SCRIPTS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}々ー`;
/** A piece of a text in a script without spaces between words. */
export const UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}]+`, 'v');
/** Pieces without spaces, names such as `A+`, words, emoji and currencies, ends of sentences. */
const TOKENS = new RegExp(
  String.raw`([${UNSPACED_SCRIPTS}]+)` +
    String.raw`|\p{L}[+#]+(?![\p{L}\p{N}])` +
    String.raw`|[[\p{L}\p{N}]--[${UNSPACED_SCRIPTS}]][[\p{L}\p{M}\p{N}\p{Cf}'’‘ʼ\`´]--[${UNSPACED_SCRIPTS}]]*` +
    String.raw`|\p{RI}\p{RI}|[\p{Extended_Pictographic}\p{Sc}]` +
    String.raw`|([.!?;:…]+(?=\s|$)|[\n。！？]+)`,
  'gv',
);
/** Accents, vowel signs, and characters that nobody sees. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0640\p{Cf}]/gu;
/** Letters that many type as others, and have no decomposition. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ة: 'ه',
  ى: 'ي',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** Digits of Arabic and Persian. */
const DIGIT = /[٠-٩۰-۹]/g;
/** The Arabic article, with a conjunction or preposition before it. */
const ARTICLE = /^(?:[وفبك]?ال|لل)(?=.{3})/;

/** Returns a word as words are compared: no case, width, accents, or third letter alike. */
export function foldWord(text: string): string {
  let folded = text.toLowerCase();
  if (/[^\u0000-\u005f\u0061-\u007f]/.test(folded)) {
    folded = folded
      // Before NFKD, which makes a space of an acute accent that stands alone.
      .replace(/[’‘ʼ´`]/g, "'")
      .normalize('NFKD')
      .replace(MARKS, '')
      .normalize('NFC')
      .replace(LETTER, (letter) => LETTERS[letter]!)
      .replace(DIGIT, (digit) => String(digit.charCodeAt(0) & 15));
  }
  return folded.replace(/([a-z])\1{2,}/g, '$1$1').replace(/([+#])\1+$/, '$1');
}

/** Returns the words of a token: `don't` is dont, `l'hotel` l and hotel, `john's` john. */
function wordsOf(token: string): string[] {
  const folded = foldWord(token).replace(/'+$/, '').replace(ARTICLE, '');
  if (!folded.includes("'")) return [folded];
  if (folded.endsWith("n't")) return [folded.replace("'", '')];
  return folded.replace(/'(?:s|ll|ve|re|d|m)$/, '').split(/'+/);
}

/** A word of a text and its range; '' stands for the end of a sentence. */
type OnWord = (word: string, from: number, to: number, isHyphened: boolean) => void;

/**
 * Calls with each word of a text, in order. A piece without spaces has the pairs of its characters as
 * words, and the last character alone.
 *
 * @param known words of tokens, which is faster for many texts
 */
export function eachWord(text: string, onWord: OnWord, known?: Map<string, string[]>): void {
  let end = -1;
  for (const match of text.matchAll(TOKENS)) {
    const [token] = match;
    const from = match.index;
    const isHyphened = from === end + 1 && '-‐‑'.includes(text[end]!);
    end = from + token.length;
    if (match[2] !== undefined) onWord('', from, end, false);
    else if (match[1] !== undefined) eachPair(token, from, onWord);
    else {
      let words = known?.get(token);
      if (!words) {
        words = wordsOf(token);
        known?.set(token, words);
      }
      for (let at = 0; at < words.length; at++) {
        onWord(words[at]!, from, end, isHyphened && at === 0);
      }
    }
  }
}

function eachPair(token: string, from: number, onWord: OnWord): void {
  const characters = [...token];
  let at = from;
  for (const [index, character] of characters.entries()) {
    const to = at + character.length;
    onWord(foldWord(character + (characters[index + 1] ?? '')), at, to, false);
    at = to;
  }
}

/** Returns the words of a text. */
export function wordsIn(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word) => word !== '' && words.push(word));
  return words;
}

/**
 * Returns the form in which texts and queries are compared: NFC, lower case, and the curly apostrophe
 * that phones type as the plain one. Nothing else changes, so a substring stays a substring.
 */
export function fold(text: string): string {
  return text.toWellFormed().normalize('NFC').toLowerCase().replaceAll('\u2019', "'");
}

/** Returns an English noun in the singular, so that both sides of a comparison have the same stem. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?:(?<=s|x|z|ch|sh)es|s)$/, '');
}
