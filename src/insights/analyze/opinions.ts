import { firstIndex } from '../../base/first-index.ts';
import { inLanguage } from '../../schema/by-language.ts';
import type { Lexicon, TradeNouns } from '../../schema/vocabulary.ts';
import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';
import { asidePhrases, type Asides } from './asides.ts';
import { businessNames, BusinessNames } from './business-names.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import { addWords, type Hit, type Range } from './spans.ts';
import { tokenize, type Token } from './tokens.ts';
import { tradeOf, type TradeSets } from './trade.ts';

/** Scores of words and phrases, from -5 to 5. */
export interface SentimentLexicon {
  words: ReadonlyMap<string, number>;
  phrases: PhraseMatcher<number>;
  asides: ReturnType<typeof asidePhrases>;
  /** Finds the names of the business, if they have a word that is an opinion elsewhere. */
  names: BusinessNames | undefined;
  trade: TradeSets;
  /** The language of the texts. */
  language: Language;
}

/**
 * Combines the scores of a language with those of one trade, which win.
 *
 * @param aspects with the names of the business, which are no opinions
 */
export function sentimentLexicon(
  lexicon: Pick<Lexicon, 'words' | 'phrases'> & Partial<Pick<Lexicon, 'languages'>>,
  aspects: Parameters<typeof businessNames>[0] = [],
  nouns?: TradeNouns,
  language: Language = ENGLISH,
): SentimentLexicon {
  const own = inLanguage(lexicon, language.code);
  const names = businessNames(aspects);
  const words = new Map(
    Object.entries({ ...language.scores.words, ...own.words }).map(([word, score]) => [
      language.grammar.fold(word),
      score,
    ]),
  );
  const phrases = new PhraseMatcher<number>(language);
  for (const [phrase, score] of Object.entries({ ...language.scores.phrases, ...own.phrases })) {
    phrases.add(phrase, score);
  }
  const isPlain = names.every((name) => {
    const tokens = tokenize(name, language);
    const isOpinion = ({ lower }: Token) => words.has(lower) || language.isNegator(lower);
    return !tokens.some(isOpinion) && phrases.everyMatch(tokens).length === 0;
  });
  return {
    words,
    phrases,
    asides: asidePhrases(language),
    names: isPlain ? undefined : new BusinessNames(names, language),
    trade: tradeOf(nouns, language),
    language,
  };
}

/**
 * A word or phrase that praises or criticizes, with its negation included in the score.
 */
export interface Opinion extends Hit {
  /** Index of the word that negates it; else the same as `at`. */
  from: number;
  /** On the scale of the lexicon. */
  score: number;
}

/** A negation applies to this many words after it, within its clause. */
const NEGATION_SCOPE = 4;
const CLAUSE_MARK = /[;:()]/;
/** Factors of negated scores: `not great` is less bad than `awful`. */
const NEGATED_GOOD = -0.75;
const NEGATED_BAD = -0.5;
/** Scores of a negation alone: something did not happen, or is missing. */
const DENIED = -1;
const MISSING = -1.4;

const NO_ASIDES: Asides = { others: new Set(), unreal: new Set(), said: new Set() };

/**
 * Finds the opinions of a text, in order. Praise of something that was not so criticizes, and criticism
 * of it says nothing: `would have been great`.
 */
export function findOpinions(
  tokens: readonly Token[],
  lexicon: SentimentLexicon,
  { others, unreal, said }: Asides = NO_ASIDES,
): Opinion[] {
  const { language } = lexicon;
  const opinions: Opinion[] = [];
  /** Words of phrases, which already include their negation. */
  const settled = new Set(said);
  let bare = -1;
  const phrases = lexicon.phrases.matches(tokens);
  let next = 0;
  for (let at = 0; at < tokens.length;) {
    while (next < phrases.length && phrases[next]!.at < at) next++;
    const phrase = phrases[next]?.at === at ? phrases[next] : undefined;
    const score = phrase ? phrase.value : wordScore(tokens[at]!, lexicon);
    const length = phrase?.length ?? 1;
    const isOver = at - bare > NEGATION_SCOPE || (score === 0 && tokens[at]!.startsSentence);
    if (bare >= 0 && isOver) {
      opinions.push(negationAt(tokens, bare, language));
      bare = -1;
    }
    if (score !== 0) {
      const negates = language.isNegator(tokens[at]!.lower);
      const from = negates ? at : negatorOf(tokens, at, settled, language);
      opinions.push({ at, length, from, score: from < at ? negated(score) : score });
      bare = -1;
    }
    if (!phrase && !said.has(at) && language.isNegator(tokens[at]!.lower)) bare = at;
    if (phrase) addWords(settled, phrase);
    at += length;
  }
  if (bare >= 0) opinions.push(negationAt(tokens, bare, language));
  return opinions
    .filter(({ at, score }) => !others.has(at) && !(unreal.has(at) && score < 0))
    .map((one) => (unreal.has(one.at) ? { ...one, score: negated(one.score) } : one));
}

function negationAt(tokens: readonly Token[], at: number, language: Language): Opinion {
  const score = language.missing.has(tokens[at]!.lower) ? MISSING : DENIED;
  return { at, length: 1, from: at, score };
}

/** Returns the opinions that begin in a range. */
export function opinionsWithin(opinions: readonly Opinion[], { first, last }: Range): Opinion[] {
  const from = (word: number) =>
    firstIndex(opinions.length, (index) => opinions[index]!.at >= word);
  return opinions.slice(from(first), from(last + 1));
}

/** A word or phrase with at least this score takes a side in any sentence. */
const PLAIN = 1.5;

/**
 * Tells whether an opinion takes its side without the rest of its sentence: not a faint one
 * (`covered`, `next day`), nor a negation alone (`not filed`).
 */
export function isPlain({ score }: Opinion): boolean {
  return Math.abs(score) >= PLAIN;
}

function wordScore({ lower }: Token, { words, language }: SentimentLexicon): number {
  return language.isNegator(lower) ? 0 : (words.get(lower) ?? 0);
}

function negated(score: number): number {
  return score * (score > 0 ? NEGATED_GOOD : NEGATED_BAD);
}

/** Returns the index of the word that negates the one at `at`; `at` itself if there is none. */
export function negatorOf(
  tokens: readonly Token[],
  at: number,
  settled: ReadonlySet<number>,
  { isNegator, lessening, comparisons }: Language,
): number {
  for (let word = at; word > 0; word--) {
    const before = word - 1;
    const { gap, startsSentence } = tokens[word]!;
    if (startsSentence || at - before > NEGATION_SCOPE || CLAUSE_MARK.test(gap)) return at;
    const { lower } = tokens[before]!;
    const isNext = word === at || (word === at - 1 && comparisons.has(tokens[word]!.lower));
    const turns = isNegator(lower) || (isNext && lessening.has(lower));
    if (turns && !settled.has(before)) return before;
  }
  return at;
}
