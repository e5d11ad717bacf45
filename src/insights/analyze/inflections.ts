const VOWEL = /[aeiou]/;
const SIBILANT = /(?:s|x|z|ch|sh)$/;

/** Singular to plural and back: `faucet` to `faucets`, `faucets` to `faucet`. */
export function otherNumber(noun: string): string {
  if (/[^aeiou]ies$/.test(noun)) return `${noun.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(noun)) return noun.slice(0, -2);
  if (/[^su]s$/.test(noun)) return noun.slice(0, -1);
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return SIBILANT.test(noun) ? `${noun}es` : `${noun}s`;
}

/** A regular verb in all its forms: `install`, `installs`, `installed`, `installing`. */
export function verbForms(verb: string): string[] {
  const doubled = /[^aeiou][aeiou][^aeiouwxy]$/.test(verb) ? verb + verb.at(-1)! : verb;
  const bare = verb.endsWith('e') ? verb.slice(0, -1) : doubled;
  const past = /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${bare}ed`;
  return [verb, otherNumber(verb), past, `${bare}ing`, `${verb}ed`, `${verb}ing`];
}

/** What a word shares with its forms, so that `claims were denied` and `deny the claim` meet. */
export function stem(word: string): string {
  let base = word;
  if (base.length > 4) base = base.replace(/ably$/, 'able').replace(/([^aeiou])ily$/, '$1y');
  if (base.length > 5) base = base.replace(/ly$/, '');
  if (/[^aeiou]ie(?:s|d)$/.test(base)) return `${base.slice(0, -3)}y`;
  if (/[^sui]s$/.test(base) && base.length > 3) base = base.slice(0, -1);
  const root = base.replace(/(?:ed|ing)$/, '');
  if (root !== base && root.length > 2 && VOWEL.test(root)) base = root;
  if (/([^aeiousl])\1$/.test(base)) base = base.slice(0, -1);
  return base.replace(/(?<=..)e$/, '');
}
