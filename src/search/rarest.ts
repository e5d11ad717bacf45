/** The characters of folded texts in Latin letters, the most frequent first; all others are rarer. */
const FREQUENT = '\n etaoinsrhldcumfgpwybvk0123456789xjqz';
/** As many are about as frequent as each other. */
const ALIKE = 11;
/** With fewer characters behind it, a letter is found too often. */
const BEHIND = 2;

/**
 * Returns the place of the rarest character of a string. Engines look for the first character of a string
 * before they compare the rest, so that its end from there is found several times as fast.
 */
export function rarestIn(string: string): number {
  let rarest = 0;
  let most = ALIKE;
  for (let at = 0; at < string.length; at++) {
    const place = FREQUENT.indexOf(string[at]!);
    if (place === -1) return at;
    if (place > most && at + BEHIND < string.length) [rarest, most] = [at, place];
  }
  return rarest;
}
