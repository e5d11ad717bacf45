import { fold, singular, withoutAccents } from './fold.ts';

/** A word of a query, or an exact string in quotation marks. */
export interface Word {
  /** As typed, folded. */
  written: string;
  /** Folded, and without accents unless it is an exact string; a text has the word if it has any of them. */
  forms: readonly string[];
  /** Part of a text it has to be: the beginning of a word, a complete word, or any place. */
  as: 'beginning' | 'complete' | 'string';
  /** True if reviews with the word are left out. */
  isExcluded?: true;
}

/** Shorter words begin too many others: car and care, pet and petty. */
const BEGINNING_FROM = 4;
const QUOTED = /["“”„«»]([^"“”„«»]+)["“”„«»]/g;
/** A word or exact string with a `-` before it, which is in no word: check-in. */
const EXCLUDED = /(?<!\S)-(?:["“”„«»]([^"“”„«»]+)["“”„«»]|(\p{L}[^\s"“”„«»]*))/gu;
/**
 * Words with an apostrophe are one, but for an article before it: `don't`, `i'm`, `hôtel` of `l'hôtel`. So
 * are those that begin with a letter and a hyphen: `e-mail`.
 */
const WORDS =
  /(?:(?<![\p{L}\p{M}\p{N}])(?!i)\p{L}')?((?:(?<![\p{L}\p{M}\p{N}])\p{L}-(?=\p{L}{2}))?[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:'\p{L}+)*)/gu;
/** `don't`, and `dont` as many write it. */
const DENIAL =
  /^((?:ai|are|ca|could|did|do|does|had|has|have|is|must|need|should|was|were|wo|would)n)'?t$/;
/** Scripts without spaces between words. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const IN_WORD = /[\p{L}\p{M}\p{N}]/u;

export function foldedWords(text: string): string[] {
  return Array.from(fold(text).matchAll(WORDS), ([, word]) => word!);
}

/**
 * Returns what a query looks for: its words without stop words, each once, and exact strings; those with
 * a `-` before them are to be left out. A query of stop words alone looks for them, and one without words
 * for itself.
 */
export function parseWords(query: string, stopWords: ReadonlySet<string>): Word[] {
  const all = fold(query);
  const excluded = Array.from(all.matchAll(EXCLUDED), ([, string, word]): Word[] => {
    const words = string === undefined ? foldedWords(word!).map(toWord) : [stringWord(string)];
    return words.map((each) => ({ ...each, isExcluded: true }));
  }).flat();
  const rest = all.replaceAll(EXCLUDED, ' ');
  return excluded.length > 0 && rest.trim() === ''
    ? excluded
    : [...wantedWords(rest, stopWords), ...excluded];
}

/** Returns what a folded query without excluded words looks for. */
function wantedWords(folded: string, stopWords: ReadonlySet<string>): Word[] {
  const strings = Array.from(folded.matchAll(QUOTED), ([, string]) => stringWord(string!));
  const all = [...new Set(foldedWords(folded.replaceAll(QUOTED, ' ')))];
  const isWord = (word: string) => word.length > 1 || UNSPACED.test(word) || /^\p{N}/u.test(word);
  const telling = all.filter((word) => !stopWords.has(word) && isWord(word));
  const words = telling.length > 0 || strings.length > 0 ? telling : all;
  const found = [...words.map(toWord), ...strings];
  return found.length > 0 ? found : [stringWord(folded)];
}

/** Returns what looks for a substring, with `"` around it or not. */
export function stringWord(string: string): Word {
  const written = fold(string);
  return { written, forms: [written], as: 'string' };
}

function toWord(word: string): Word {
  if (UNSPACED.test(word)) return stringWord(word);
  const written = word;
  const [, denial] = DENIAL.exec(word) ?? [];
  if (denial !== undefined) {
    return { written, forms: [`${denial}'t`, `${denial}t`], as: 'complete' };
  }
  const stem = singular(withoutAccents(word).replace(/'s$/, ''));
  if (stem.length < BEGINNING_FROM || /^\p{N}+$/u.test(stem)) {
    return { written, forms: [stem, `${stem}s`, `${stem}es`], as: 'complete' };
  }
  const plural = /[^aeiou]y$/.test(stem) ? [`${stem.slice(0, -1)}ie`] : [];
  const forms = [stem, ...plural].flatMap((form) =>
    form[1] === '-' ? [form, form.replace('-', ''), form.replace('-', ' ')] : [form],
  );
  return { written, forms, as: 'beginning' };
}

/** Returns what looks for a term of one or more words, in singular or plural: complete words side by side. */
export function termWord(term: string): Word {
  const written = foldedWords(term).join(' ');
  const plain = withoutAccents(written);
  const stem = singular(plain);
  const plurals = [`${stem}s`, `${stem}es`];
  if (/[^aeiou]y$/.test(stem)) plurals.push(`${stem.slice(0, -1)}ies`);
  const forms = [plain, stem, ...plurals].flatMap((form) =>
    [' ', '-', ''].map((between) => form.replaceAll(' ', between)),
  );
  return { written, forms: [...new Set(forms)], as: 'complete' };
}

export function hasWord(text: string, word: Word): boolean {
  const comparable = comparableTo(word, text);
  return word.forms.some((form) => placeOf(comparable, form, word.as, 0) !== -1);
}

/** Returns a folded text without accents, unless it is looked through for an exact string. */
function comparableTo({ as }: Word, folded: string): string {
  return as === 'string' ? folded : withoutAccents(folded);
}

/** Returns the first place of a form in a folded text at or after an index; -1 if there is none. */
function placeOf(text: string, form: string, as: Word['as'], from: number): number {
  let at = text.indexOf(form, from);
  if (as === 'string') return at;
  while (at !== -1) {
    const isWord =
      !isInWord(text, at, -1) && (as === 'beginning' || !isInWord(text, at + form.length, 0));
    if (isWord) return at;
    at = text.indexOf(form, at + 1);
  }
  return at;
}

/** Returns the places of a word in a folded text, from the beginnings of words to their ends. */
export function* placesOfWord(folded: string, word: Word): Generator<[from: number, to: number]> {
  const text = comparableTo(word, folded);
  for (const form of word.forms) {
    for (let at = placeOf(text, form, word.as, 0); at !== -1;) {
      let end = at + form.length;
      while (word.as === 'beginning' && isInWord(text, end, 0)) end++;
      yield [at, end];
      at = placeOf(text, form, word.as, end);
    }
  }
}

/** Tells whether the character at an index, or before it, belongs to a word. */
function isInWord(text: string, index: number, side: -1 | 0): boolean {
  const at = index + side;
  if (at < 0 || at >= text.length) return false;
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return IN_WORD.test(String.fromCodePoint(text.codePointAt(isLow ? at - 1 : at)!));
}
