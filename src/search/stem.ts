/** Returns an English noun in the singular, so that both sides of a comparison have the same stem. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?:(?<=s|x|z|ch|sh)es|s)$/, '');
}
