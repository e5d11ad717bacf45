import type { Grammar } from './grammar.ts';

/** The grammar of English. */
export const englishGrammar: Grammar = {
  fold: (word) => (LOST_APOSTROPHE.test(word) ? word.replace(/t$/, "'t") : word),
  lostApostrophe:
    ' t(?<=\\b(?:ai|are|ca|could|did|do|does|had|has|have|is|must|need|should|was|were|wo|would)n t)',
  negates: (word) => word.endsWith("n't"),
  partsOf,
  isAdverb: (word) => ADVERB.test(word),
  isPast: (word) => word.endsWith('ed') && !BASE_IN_ED.test(word),
  inflect: (word) => [word],
  otherNumber,
  verbForms,
  stem,
};

/** `wont` and `cant` are words as well, which nobody writes in a review. */
const LOST_APOSTROPHE =
  /^(?:ai|are|ca|could|did|do|does|had|has|have|is|should|was|were|wo|would)nt$/;

const LONG: Readonly<Record<string, string>> = { ca: 'can', wo: 'will' };

function partsOf(word: string): string[] | undefined {
  if (word === 'cannot') return ['can', 'not'];
  if (word.endsWith("'ve")) return [word.slice(0, -3), 'have'];
  if (!word.endsWith("n't")) return undefined;
  const verb = word.slice(0, -3);
  return [LONG[verb] ?? verb, 'not'];
}

/** Words in -ed that are no past: `Will need`. */
const BASE_IN_ED = /(?:eed|^bed|^embed|^shed|^shred|^wed)$/;
const ADVERB = /^(?:also|always|even|just|never|really|still|then|\p{L}{2,}ly)$/u;

const SIBILANT = /(?:s|x|z|ch|sh)$/;

function otherNumber(noun: string): string {
  if (/[^aeiou]ies$/.test(noun)) return `${noun.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(noun)) return noun.slice(0, -2);
  if (/[^su]s$/.test(noun)) return noun.slice(0, -1);
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return SIBILANT.test(noun) ? `${noun}es` : `${noun}s`;
}

function verbForms(verb: string): string[] {
  const doubled = /[^aeiou][aeiou][^aeiouwxy]$/.test(verb) ? verb + verb.at(-1)! : verb;
  const bare = verb.endsWith('e') ? verb.slice(0, -1) : doubled;
  const past = /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${bare}ed`;
  return [verb, otherNumber(verb), past, `${bare}ing`, `${verb}ed`, `${verb}ing`];
}

const VOWEL = /[aeiou]/;

function stem(word: string): string {
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
