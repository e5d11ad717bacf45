import { join } from 'node:path';
import { readPack } from '../../../../src/content/read-pack.ts';
import { readContent } from '../../../../src/content/read-content.ts';
import { ENGLISH } from '../../../../src/insights/languages/languages.ts';
import type { Chances } from '../../../../src/insights/analyze/polarity-model.ts';
import { tokenize } from '../../../../src/insights/analyze/tokens.ts';
import { PACKS } from '../../../../src/schema/trade.ts';
import { DATASET } from '../../../support/fixtures.ts';
import { mentionsOf, readGold, tradeMentions } from '../gold.ts';
import { readAspectTerms, readCategories, restaurants } from '../sets.ts';
import type { TrainingSet } from './train.ts';

/** The own clauses are few, and of the trades and kinds of reviews that the engine reads. */
const OWN_WEIGHT = 12;
/**
 * Praise and criticism count the same, because the stars say which is more likely; neutral mentions,
 * which are few in the own sets, count more than their share.
 */
const OWN_SHARES: Chances = [0.4, 0.2, 0.4];
/** In MAMS nearly half take no side, in natural reviews one in twenty to a hundred. */
const MAMS_SHARES: Chances = [0.38, 0.24, 0.38];

/** Returns the labeled clauses of this repository. */
export async function committedSets(): Promise<TrainingSet[]> {
  const { vocabulary } = await readContent(DATASET);
  const items = [...readGold('plain', 'development'), ...readGold('hard', 'development')];
  return [
    { mentions: mentionsOf(items, vocabulary), shares: OWN_SHARES, weight: OWN_WEIGHT },
    { mentions: await tradeMentions('development'), shares: OWN_SHARES, weight: OWN_WEIGHT },
  ];
}

/**
 * Returns the restaurant sentences of MAMS (https://github.com/siat-nlp/MAMS-for-ABSA, Apache-2.0).
 *
 * @param folder has `mams_acsa_train.xml` and `mams_atsa_train.xml`
 */
export function mamsSets(folder: string): TrainingSet[] {
  return [
    readCategories(join(folder, 'mams_acsa_train.xml')),
    readAspectTerms(join(folder, 'mams_atsa_train.xml')),
  ].map((mentions) => ({ mentions, shares: MAMS_SHARES, weight: 1 }));
}

/**
 * Returns the words that no feature may have: names of things in the taxonomies, so that no trade,
 * part or job carries a verdict.
 */
export async function nouns(): Promise<ReadonlySet<string>> {
  const { vocabulary } = await readContent(DATASET);
  const packs = await Promise.all(PACKS.map(readPack));
  const aspects = [...packs.flatMap((pack) => pack.aspects), ...restaurants()];
  const terms = [...packs.flatMap(({ problems }) => problems), ...vocabulary.services];
  const words = [
    ...aspects.flatMap(({ terms, subjects = [] }) =>
      [...terms, ...terms.map(ENGLISH.grammar.otherNumber), ...subjects].filter(isOneWord),
    ),
    ...terms.flatMap(({ label, aliases }) => [label, ...aliases]),
  ].flatMap((form) => tokenize(form).flatMap(({ lower, parts }) => [lower, ...(parts ?? [])]));
  const isOpinion = (word: string) => (ENGLISH.scores.words[word] ?? 0) !== 0;
  return new Set(words.filter((word) => ENGLISH.isContent(word) && !isOpinion(word)));
}

function isOneWord(form: string): boolean {
  return !form.includes(' ');
}
