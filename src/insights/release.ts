import type { InsightsInputs } from '../schema/insights-inputs.ts';
import type { Release, TradePack } from '../schema/trade.ts';
import { OVERALL_ASPECT } from '../schema/vocabulary.ts';
import { LANGUAGES } from './languages/languages.ts';

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
type Lexicon = Vocabulary['lexicon'];

/** Compares the scores of words in every language that the program reads. */
function changedScores(lexicon: Lexicon, pack: TradePack): string[] {
  return (['words', 'phrases'] as const).flatMap((kind) => {
    const lists = [lexicon, ...LANGUAGES.flatMap(({ code }) => lexicon.languages?.[code] ?? [])];
    const words = new Set(lists.flatMap((scores) => Object.keys(scores[kind] ?? {})));
    return [...words].flatMap((word) => {
      const changed = LANGUAGES.map(({ code, scores }) => {
        const own = scoreIn(lexiconsFor(lexicon, code), kind, word);
        const program = scoreIn([...lexiconsFor(pack.lexicon, code), scores], kind, word);
        return { code, own, program };
      }).filter(({ own, program }) => own !== undefined && own !== program);
      const [first] = changed;
      if (!first) return [];
      const known = changed.filter(({ program }) => program !== undefined);
      const before = known.map(({ code, program }) => `${program} (${code})`).join(', ');
      const said = before === '' ? 'the program has no such word' : `in the program ${before}`;
      return [`lexicon: “${word}” counts ${first.own}, ${said}`];
    });
  });
}

type Scores = Partial<Record<'words' | 'phrases', Readonly<Record<string, number>>>>;

/** Returns the scores that count in a language, those of the language itself first. */
function lexiconsFor(lexicon: Lexicon, code: string): Scores[] {
  const own = lexicon.languages?.[code];
  return own ? [own, lexicon] : [lexicon];
}

/** Returns the score of the first lexicon that has a word. Joining all of them would take a while. */
function scoreIn(all: readonly Scores[], kind: keyof Scores, word: string): number | undefined {
  return all.find((scores) => Object.hasOwn(scores[kind] ?? {}, word))?.[kind]![word];
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

/** Returns the words of an entry in any language but for some names, in any order, as one text. */
function formsOf(entry: object, names: ReadonlySet<string>): string {
  const lists = new Set(['terms', 'phrases', 'subjects', 'aliases', 'exclude']);
  const { languages = {}, ...any } = entry as { languages?: Record<string, object> };
  const forms = Object.entries({ any, ...languages }).flatMap(([language, own]) =>
    Object.entries(own)
      .filter(([name]) => lists.has(name))
      .map(([name, words]) => {
        const written = (words as string[]).filter((word) => !names.has(word));
        return [language, name, written.toSorted()];
      }),
  );
  return JSON.stringify(forms.sort());
}
