import { eld } from 'eld/extrasmall';
import alphabets from './alphabets.json' with { type: 'json' };

/** The upper half of code page 850, which European versions of DOS wrote and TextDecoder does not know. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';
/** Encodings that spreadsheets and databases write besides Unicode, the more usual of two first. */
const ENCODINGS =
  'windows-1252 windows-1250 windows-1251 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 iso-8859-2 iso-8859-5 iso-8859-15 koi8-u macintosh x-mac-cyrillic ibm866 cp850 shift_jis euc-jp gb18030 big5 euc-kr'.split(
    ' ',
  );
/** The letters beyond ASCII of languages in Latin and Cyrillic script, by their codes in eld. */
const LETTERS: Readonly<Record<string, string>> = alphabets;
/** Signs around the words of all languages. */
const SIGNS = '‘’‚“”„‹›«»–—…•€£¥©®™°¡¿ªº½¼¾´·§×²³\u00a0、。，！？・「」（）；：';
/** The best score is this much above the next, or nothing is clear. */
const AHEAD = 1.03;
/** Shares of words that may have strange letters: there are slips, and names of other languages. */
const MAY_BREAK = 0.05;
const MAY_BE_FOREIGN = 0.03;
/** The least score of words in a script of few languages, in Latin script, and in a rare encoding. */
const LEAST = { others: 0.6, latin: 0.4, rare: 0.55 };
/** Encodings with cousins that are not tried: what is Turkish of DOS looks like a little of cp850. */
const RARE = new Set(['cp850', 'macintosh']);
const SAMPLE_BYTES = 20_000;
/** Words with letters beyond ASCII. */
const WORD = /[^\s,;|"\t]*[^\0-\x7f][^\s,;|"\t]*/g;

/** @throws {RangeError} for a label that is unknown, {TypeError} for bytes that the encoding does not have */
export function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (!/^(?:cp|ibm)-?850$/i.test(encoding)) {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  }
  const latin1 = Buffer.from(bytes).toString('latin1');
  return latin1.replaceAll(/[\x80-\xff]/g, (byte) => CP850[byte.charCodeAt(0) - 0x80]!);
}

interface Candidate {
  encoding: string;
  /** From 0 to 1. */
  score: number;
}

/**
 * Finds the encoding of a text that is not Unicode: the one in which words with letters beyond ASCII
 * are most like words of a language. Tells the likely ones, too, where none is clearly ahead.
 */
export function guessEncoding(bytes: Buffer): { encoding: string | undefined; likely: string[] } {
  const sample = sampleOf(bytes);
  const texts = new Set<string>();
  const candidates: Candidate[] = [];
  for (const encoding of ENCODINGS) {
    const text = attemptAs(encoding, sample);
    if (text === undefined || texts.has(text)) continue;
    texts.add(text);
    const score = likeness(text);
    if (score > (RARE.has(encoding) ? LEAST.rare : 0)) candidates.push({ encoding, score });
  }
  candidates.sort((a, b) => b.score - a.score);
  const [best, second] = candidates;
  const isClear = best && best.score > (second?.score ?? 0) * AHEAD;
  return {
    encoding: isClear ? best.encoding : undefined,
    likely: candidates.slice(0, 3).map(({ encoding }) => encoding),
  };
}

/** Returns the first lines or quoted values that have bytes beyond ASCII, each in a line. */
function sampleOf(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let [start, size] = [0, 0];
  // A regular expression would need more memory than it may have for a line of megabytes.
  for (let at = 0; at <= bytes.length && size <= SAMPLE_BYTES; at++) {
    const byte = bytes[at] ?? NEWLINE;
    if (byte !== NEWLINE && byte !== RETURN && byte !== QUOTE) continue;
    const line = bytes.subarray(start, at);
    start = at + 1;
    if (line.length > SAMPLE_BYTES || !line.some((each) => each > 0x7f)) continue;
    lines.push(line, Buffer.of(NEWLINE));
    size += line.length;
  }
  return Buffer.concat(lines);
}

const [NEWLINE, RETURN, QUOTE] = [0x0a, 0x0d, 0x22];

/** Decodes bytes; undefined where the encoding does not have them. */
export function attemptAs(encoding: string, bytes: Buffer): string | undefined {
  try {
    return decodeAs(encoding, bytes);
  } catch {
    return undefined;
  }
}

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];

/** Tells if a word has what no writer would write: two scripts, a sign or a capital inside it. */
function isBroken(word: string): boolean {
  return (
    /[\x80-\x9f\uE000-\uF8FF¤░-▟│-╬]/.test(word) ||
    /[\p{L}\p{M}](?![\p{L}\p{M}'’·。、，！？・ー\u00ad-])[^\0-\x7f][\p{L}\p{M}]/u.test(word) ||
    /\p{L}[‚„¡¿‹]/u.test(word) ||
    /^(?![àáâåæéèêíìóòøö])(?=[^\0-\x7f])\p{Script=Latin}$/iu.test(word) ||
    /\p{Ll}(?=[^\0-\x7f])\p{Lu}/u.test(word) ||
    SCRIPTS.filter((script) => script.test(word)).length > 1
  );
}

/** Returns how much the words of a text are like those of a language, from 0 to 1. */
function likeness(text: string): number {
  const words = [...new Set(text.match(WORD))];
  const broken = words.filter(isBroken).length;
  if (words.length === 0 || broken > words.length * MAY_BREAK) return 0;
  const joined = words.join(' ');
  const letters = joined.match(/(?=[^\0-\x7f])[\p{L}\p{M}]/gu) ?? [];
  const signs = joined.match(/(?=[^\0-\x7f])[^\p{L}\p{M}]/gu) ?? [];
  const strange = signs.filter((sign) => !SIGNS.includes(sign)).length;
  if (strange > signs.length * MAY_BE_FOREIGN) return 0;
  if (letters.length === 0) return LEAST.latin;
  const languages = languagesOf(text);
  const isLatin = /\p{Script=Latin}/u.test(letters.join(''));
  const hasList = isLatin || /\p{Script=Cyrillic}/u.test(letters.join(''));
  const own = languages.map((each) => LETTERS[each] ?? '').join('');
  const isUsual = (letter: string) => own.includes(letter.toLowerCase());
  const usual = hasList ? letters.filter(isUsual).length / letters.length : 1;
  if (usual < 1 - MAY_BE_FOREIGN) return 0;
  const scores = eld.detect(joined).getScores();
  const score = Math.max(...languages.map((each) => scores[each] ?? 0));
  if (isLatin) {
    const best = Math.max(...Object.keys(LETTERS).map((each) => scores[each] ?? 0));
    return usual * Math.max(score, best * 0.8, LEAST.latin);
  }
  const isWritten =
    letters.length >= words.length * 3 && letters.some((letter) => !/\p{Lu}/u.test(letter));
  return isWritten && score >= LEAST.others ? score * usual : 0;
}

/** Returns the language of a text, and those of its lines. */
function languagesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => eld.detect(line));
  const found = lines.filter((line) => line.isReliable());
  return [...new Set([eld.detect(text), ...found].map(({ language }) => language))];
}
