/**
 * Returns the form in which texts and queries are compared: NFC, lower case, and the curly apostrophe
 * that phones type as the plain one. Nothing else changes, so a substring stays a substring.
 */
export function fold(text: string): string {
  return text.toWellFormed().normalize('NFC').toLowerCase().replaceAll('\u2019', "'");
}

/** Letters of Latin and Greek scripts with a mark, as NFC writes them. */
const MARKED = /[\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]/g;

/**
 * Returns a folded text without accents: `almoço` → `almoco`. Phones are typed on without them. Each
 * character stays one, so places in the two texts are the same.
 */
export function withoutAccents(folded: string): string {
  return folded.replace(MARKED, (letter) => letter.normalize('NFD')[0]!);
}

/** Returns an English noun in the singular, so that both sides of a comparison have the same stem. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?:(?<=s|x|z|ch|sh)es|s)$/, '');
}
