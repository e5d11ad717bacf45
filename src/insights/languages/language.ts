import { z } from 'zod';
import type { Grammar } from './grammar.ts';
import { wordLists, type WordLists } from './word-lists.ts';

const scores = z.record(z.string(), z.number().min(-5).max(5));

/** The data of a language: its word lists and the scores of its opinions in any trade. */
const languageData = z.strictObject({
  counted: z.boolean().default(true),
  lists: wordLists,
  words: scores,
  phrases: scores,
});

/** Everything the engine knows of a language. */
export interface Language extends WordLists {
  /** Tells whether a word turns an opinion around. */
  isNegator: (word: string) => boolean;
  /** Tells whether a word only connects a thing with an opinion. */
  isLink: (word: string) => boolean;
  /** Tells whether a phrase cannot end with a word: `easy to`, `cares about`, `worth every`. */
  isOpen: (word: string) => boolean;
  /** Every word of its lists and scores. */
  words: ReadonlySet<string>;
  /** Tells whether a word means something by itself. */
  isContent: (word: string) => boolean;
  /** The code of the language: `en`. */
  code: string;
  /** False if its sides are good enough for quotes, but not for shares. */
  counted: boolean;
  /** Scores of words and phrases in any trade, from -5 to 5. */
  scores: Readonly<Record<'words' | 'phrases', Readonly<Record<string, number>>>>;
  grammar: Grammar;
}

/**
 * Joins the data of a language with its grammar.
 *
 * @throws {z.ZodError} if the data has an unknown list or a score out of range
 */
export function readLanguage(code: string, data: unknown, grammar: Grammar): Language {
  const { counted, lists: written, words, phrases } = languageData.parse(data);
  const fold = (words: string) => words.split(' ').map(grammar.fold).join(' ');
  const folded = Object.entries(written).map(
    ([name, list]) => [name, new Set([...list].map(fold))] as const,
  );
  const lists = Object.fromEntries(folded) as unknown as WordLists;
  const forms = Object.entries(words).flatMap(([word, score]) =>
    grammar.inflect(word).map((form): [string, number] => [grammar.fold(form), score]),
  );
  // A word that is written wins over a form of another one.
  const own = Object.entries(words).map(([word, score]): [string, number] => [
    grammar.fold(word),
    score,
  ]);
  const scored = Object.fromEntries([...forms, ...own]);
  const {
    auxiliaries,
    degrees,
    determiners,
    joins,
    links,
    negations,
    negators,
    prepositions,
    pronouns,
  } = lists;
  const open = [auxiliaries, degrees, prepositions, determiners, joins, negations];
  const isNegator = (word: string) => negators.has(word) || grammar.negates(word);
  const isLink = (word: string) => links.has(word) || degrees.has(word) || negations.has(word);
  const isOpen = (word: string) => open.some((list) => list.has(word));
  return {
    ...lists,
    code,
    counted,
    isNegator,
    isLink,
    isOpen,
    words: new Set([
      ...folded.flatMap(([, list]) => [...list].flatMap((words) => words.split(' '))),
      ...Object.keys(scored),
    ]),
    isContent: (word) => !isLink(word) && !isOpen(word) && !pronouns.has(word),
    scores: { words: scored, phrases },
    grammar,
  };
}
