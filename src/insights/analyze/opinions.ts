import type { SentimentLexicon } from './lexicon.ts';
import { firstFrom } from './sorted.ts';
import type { Token } from './tokens.ts';

/** A word or phrase that says good or bad, as it stands: negated, boosted or plain. */
export interface Opinion {
  /** Index of its first word. */
  at: number;
  /** Number of words. */
  length: number;
  /** Index of the word that negates it; else the same as `at`. */
  from: number;
  /** On the scale of the lexicon. */
  score: number;
}

/** A negation reaches this many words ahead, and never past the end of its sentence. */
const NEGATION_SCOPE = 4;
/** What is left of a negated word: `not great` is not as bad as `awful`. */
const NEGATED_GOOD = -0.75;
const NEGATED_BAD = -0.5;
const BOOST = 1.3;
const DAMP = 0.6;

const NEGATORS = new Set(
  (
    'not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt wasnt ' +
    'arent werent wont wouldnt couldnt shouldnt havent hasnt hadnt aint hardly barely scarcely ' +
    'rarely seldom lack lacks lacked lacking'
  ).split(' '),
);
const BOOSTERS = new Set(
  (
    'very really extremely so super incredibly absolutely exceptionally highly truly totally ' +
    'completely amazingly unbelievably particularly especially remarkably most always such ' +
    'way too'
  ).split(' '),
);
const DAMPENERS = new Set(
  'slightly somewhat fairly kinda sorta little bit rather almost'.split(' '),
);

/** A negation that negates no opinion speaks of what did not happen: `never called back`. */
const BARE_NEGATION = -1;

/** The opinions of a text, in order. */
export function findOpinions(tokens: readonly Token[], lexicon: SentimentLexicon): Opinion[] {
  const opinions: Opinion[] = [];
  /** Words of phrases: what they negate is in the phrase. */
  const settled = new Set<number>();
  let bare = -1;
  const phrases = [...lexicon.phrases.matches(tokens)];
  let next = 0;
  for (let at = 0; at < tokens.length;) {
    while (next < phrases.length && phrases[next]!.at < at) next++;
    const phrase = phrases[next]?.at === at ? phrases[next] : undefined;
    const length = phrase?.length ?? 1;
    const score = phrase ? phrase.value : wordScore(tokens[at]!, lexicon);
    const isOver = at - bare > NEGATION_SCOPE || (score === 0 && tokens[at]!.startsSentence);
    if (bare >= 0 && isOver) {
      opinions.push({ at: bare, length: 1, from: bare, score: BARE_NEGATION });
      bare = -1;
    }
    if (score !== 0) {
      const { factor, from } = modifier(tokens, at, score, settled);
      opinions.push({ at, length, from, score: score * factor });
      bare = -1;
    }
    if (!phrase && isNegator(tokens[at]!.lower)) bare = at;
    if (phrase) for (let word = at; word < at + length; word++) settled.add(word);
    at += length;
  }
  if (bare >= 0) opinions.push({ at: bare, length: 1, from: bare, score: BARE_NEGATION });
  return opinions;
}

/** Returns the opinions whose first word lies between two words, both included. */
export function opinionsBetween(
  opinions: readonly Opinion[],
  first: number,
  last: number,
): Opinion[] {
  const from = (position: number) => firstFrom(opinions, position, ({ at }) => at);
  return opinions.slice(from(first), from(last + 1));
}

function wordScore({ lower }: Token, { words }: SentimentLexicon): number {
  return isNegator(lower) ? 0 : (words.get(lower) ?? 0);
}

function modifier(
  tokens: readonly Token[],
  at: number,
  score: number,
  settled: ReadonlySet<number>,
): { factor: number; from: number } {
  let factor = 1;
  const from = Math.max(0, at - NEGATION_SCOPE);
  for (let before = at - 1; before >= from; before--) {
    if (tokens[before + 1]!.startsSentence) break;
    const { lower } = tokens[before]!;
    const near = at - before <= 2;
    if (settled.has(before)) continue;
    if (isNegator(lower)) {
      return { factor: factor * (score > 0 ? NEGATED_GOOD : NEGATED_BAD), from: before };
    }
    if (near && BOOSTERS.has(lower)) factor *= BOOST;
    if (near && DAMPENERS.has(lower)) factor *= DAMP;
  }
  return { factor, from: at };
}

function isNegator(lower: string): boolean {
  return NEGATORS.has(lower) || lower.endsWith("n't");
}
