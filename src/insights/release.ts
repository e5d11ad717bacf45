import type { InsightsInputs } from '../schema/insights-inputs.ts';
import type { Release, TradePack } from '../schema/trade.ts';
import { OVERALL_ASPECT } from '../schema/vocabulary.ts';
import { ENGLISH } from './languages/languages.ts';

/**
 * Names what the publisher changed: every score of the lexicon, list of words, weight and label that
 * is not the program's. Compares with the trade pack that differs least.
 */
export function changedInputs(inputs: InsightsInputs, { packs, weights }: Release): string[] {
  const { annotations, vocabulary } = inputs;
  const [words = []] = packs
    .map((pack) => [...changedScores(vocabulary.lexicon, pack), ...changedLists(vocabulary, pack)])
    .sort((a, b) => a.length - b.length);
  const labeled = Map.groupBy(annotations, ({ source }) => source);
  return [
    ...words,
    ...(inputs.weights === weights ? [] : ['weights: the table of the polarity model is another']),
    ...[...labeled].map(
      ([source, own]) => `labels: by ${source} (${own.length}), not by the program`,
    ),
  ];
}

type Vocabulary = InsightsInputs['vocabulary'];

function changedScores(lexicon: Vocabulary['lexicon'], pack: TradePack): string[] {
  return (['words', 'phrases'] as const).flatMap((kind) => {
    const program = { ...ENGLISH.scores[kind], ...pack.lexicon[kind] };
    return Object.entries(lexicon[kind])
      .filter(([word, score]) => scoreIn(program, word) !== score)
      .map(([word, score]) => `lexicon: “${word}” counts ${score}, ${programScore(program, word)}`);
  });
}

function scoreIn(scores: Readonly<Record<string, number>>, word: string): number | undefined {
  return Object.hasOwn(scores, word) ? scores[word] : undefined;
}

function programScore(scores: Readonly<Record<string, number>>, word: string): string {
  const score = scoreIn(scores, word);
  return score === undefined ? 'the program has no such word' : `in the program ${score}`;
}

function changedLists(vocabulary: Vocabulary, pack: TradePack): string[] {
  // The program itself adds the name of the business to what aspects exclude.
  const names = new Set(vocabulary.aspects.find(({ id }) => id === OVERALL_ASPECT)?.subjects);
  return (['aspects', 'topics', 'problems'] as const).flatMap((list) => {
    const program = new Map(pack[list].map((entry) => [entry.id, formsOf(entry, names)]));
    const own = new Map(vocabulary[list].map((entry) => [entry.id, formsOf(entry, names)]));
    const changed = [...own].filter(([id, forms]) => program.has(id) && program.get(id) !== forms);
    const ids = [
      ...changed.map(([id]) => `${id} has other words`),
      ...[...own.keys()].filter((id) => !program.has(id)).map((id) => `${id} is new`),
      ...[...program.keys()].filter((id) => !own.has(id)).map((id) => `${id} is left out`),
    ];
    return ids
      .filter((text) => !text.startsWith(`${OVERALL_ASPECT} `))
      .map((text) => `${list}: ${text}`);
  });
}

/** Returns the words of an entry but for some names, in any order, as one text. */
function formsOf(entry: object, names: ReadonlySet<string>): string {
  const lists = new Set(['terms', 'phrases', 'subjects', 'aliases', 'exclude']);
  const forms = Object.entries(entry).filter(([name]) => lists.has(name));
  return JSON.stringify(
    forms
      .map(([name, words]) => [
        name,
        (words as string[]).filter((word) => !names.has(word)).toSorted(),
      ])
      .sort(),
  );
}
