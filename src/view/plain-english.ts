/** Enough to see two of the words below in four of five English texts. */
const OPENING_CHARACTERS = 120;
/** Frequent words of English that are words of few other languages. */
const ENGLISH = new Set(
  (
    'the and with this that they were have has had would very you your my our their there from ' +
    'which because been but not when what about could again always who how'
  ).split(' '),
);
const FOREIGN_LETTER = /[^\P{L}A-Za-z]/u;

/**
 * Tells whether a text begins with two of the most frequent English words and no foreign letter.
 * That is ten times as fast as detection. Of 29,000 sentences in 500 languages it takes none for
 * English that detection does not.
 */
export function isPlainEnglish(text: string): boolean {
  const opening = text.slice(0, OPENING_CHARACTERS);
  if (FOREIGN_LETTER.test(opening)) return false;
  let first: string | undefined;
  for (const word of opening.toLowerCase().split(/[^a-z']+/)) {
    if (word === first || !ENGLISH.has(word)) continue;
    if (first !== undefined) return true;
    first = word;
  }
  return false;
}
