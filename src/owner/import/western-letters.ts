import { eld } from 'eld/extrasmall';

/** The letters beyond ASCII of the languages that windows-1252 is written in, by their codes in eld. */
const LETTERS: Readonly<Record<string, string>> = {
  ca: 'àçèéíïòóúü·',
  da: 'åæøéä',
  de: 'äöüßéèêàâçîïôûñ',
  en: 'éèêëàâçîïôûñöüœæåäø',
  es: 'áéíñóúüç',
  et: 'äõöüšž',
  fi: 'äöåé',
  fr: 'àâæçéèêëîïôœùûüÿ',
  is: 'áæéíðóöúýþ',
  it: 'àèéìíîòóùú',
  nl: 'ëïéèêöüáóúíàâçîôûñä',
  no: 'åæøéòôêä',
  pt: 'áàâãçéêíóôõúü',
  sq: 'çë',
  sv: 'åäöéà',
};
const SIGNS = '‘’‚“”„‹›«»–—…•€£¥©®™°¡¿ªº½¼¾´·§×²³\u00a0';
/** Shares of words and letters that may be strange: there are slips, and names of other languages. */
const STRANGE_WORDS = 0.05;
const STRANGE_LETTERS = 0.03;
const SAMPLE_LETTERS = 20_000;
/** Words with letters or signs beyond ASCII. */
const WORD = /[^\s,;|\t]*[^\0-\x7f][^\s,;|\t]*/g;
/** Words that nobody writes, with controls, signs inside or at the wrong end, capitals after a small letter. */
const BROKEN =
  /[\x80-\x9f]|\p{L}(?![\p{L}’·­-])[^\0-\x7f]\p{L}|\p{L}[‚„¡¿‹•€¼½¾¤]|(?![A-Z])\p{L}(?=[^\0-\x7f])\p{Lu}|(?=[^\0-\x7f])\p{L}\d|^[›”»’…]\p{L}|‚‚|\p{L}“$/u;
/** Words that other encodings make strange: a letter beside a small one, or a sign where writers put it. */
const TELLING = /[a-z](?=[^\0-\x7f])\p{Ll}|(?=[^\0-\x7f])\p{L}[a-z]|[a-z]’[a-z]|“\p{L}|[€£]\d/u;

/**
 * Reads bytes as windows-1252; undefined unless the words with letters beyond ASCII are then those of
 * the languages that the text is in. A text of other bytes reads like "Skvìlé" or "Kšln".
 */
export function westernText(bytes: Buffer): string | undefined {
  const text = new TextDecoder('windows-1252').decode(bytes);
  const sample = new Set<string>();
  let letters = 0;
  for (const value of text.split(/[\r\n"]+/)) {
    if (letters > SAMPLE_LETTERS) break;
    if (value.length > SAMPLE_LETTERS || !/[^\0-\x7f]/.test(value)) continue;
    letters += value.length;
    sample.add(value);
  }
  const joined = [...sample].join('\n');
  const words = [...new Set(joined.match(WORD))];
  const broken = words.filter((word) => BROKEN.test(word)).length;
  if (broken > words.length * STRANGE_WORDS || !words.some((word) => TELLING.test(word))) {
    return undefined;
  }
  const found = [...sample].map((value) => eld.detect(value)).filter((each) => each.isReliable());
  const languages = new Set([eld.detect(joined), ...found].map((each) => each.language));
  const known = [...languages].flatMap((language) => LETTERS[language] ?? []);
  const own = new Set(known.join('') + SIGNS);
  const beyond = words.join('').match(/[^\0-\x7f]/g) ?? [];
  const strange = beyond.filter((letter) => !own.has(letter.toLowerCase())).length;
  const isWestern = known.length > 0 && strange <= beyond.length * STRANGE_LETTERS;
  return isWestern ? text : undefined;
}
