import { inLanguage, namesIn } from '../../schema/by-language.ts';
import type { Term, TopicTerms, Vocabulary } from '../../schema/vocabulary.ts';
import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';
import { outermost, PhraseMatcher } from './phrase-matcher.ts';
import { Spans, type Hit } from './spans.ts';
import { isCapitalized, type Token } from './tokens.ts';
import { tradeOf, type TradeSets } from './trade.ts';

/** The lists of a vocabulary whose entries are found by their words alone. */
type TermList = 'services' | 'service_areas' | 'problems' | 'topics';

/** A mention of an entry. */
export interface TermHit extends Hit {
  id: string;
}

interface Form {
  list: TermList;
  id: string;
  /** True for a phrase in which a form means something else. */
  excludes: boolean;
}

/**
 * Finds mentions of vocabulary entries in singular and plural. A form with a gap may begin with any
 * form of its verb: `install … furnace` finds `installed our new furnaces`.
 */
export class TermFinder {
  readonly #matcher: PhraseMatcher<Form>;
  readonly #language: Language;
  readonly #trade: TradeSets;

  constructor(vocabulary: Pick<Vocabulary, TermList | 'trade'>, language: Language = ENGLISH) {
    this.#language = language;
    this.#matcher = new PhraseMatcher(language);
    this.#trade = tradeOf(vocabulary.trade, language);
    for (const list of ['services', 'service_areas', 'problems', 'topics'] as const) {
      for (const entry of vocabulary[list]) this.#add(list, entry);
    }
  }

  #add(list: TermList, entry: Term | TopicTerms): void {
    const { id } = entry;
    const { exclude } = inLanguage(entry, this.#language.code);
    const inflected = (words: readonly string[]) =>
      new Set(words.flatMap((form) => inflectionsOf(form, this.#language)));
    for (const form of inflected(namesIn(entry, this.#language.code)))
      this.#matcher.add(form, { list, id, excludes: false });
    for (const form of inflected(exclude)) this.#matcher.add(form, { list, id, excludes: true });
  }

  /** Returns the mentions in the order of the text; only topics also count inside longer terms. */
  find(tokens: readonly Token[]): Record<TermList, TermHit[]> {
    const found: Record<TermList, TermHit[]> = {
      services: [],
      service_areas: [],
      problems: [],
      topics: [],
    };
    const excluded = new Spans();
    for (const { value, at, length } of this.#matcher.everyMatch(tokens)) {
      const { list, id, excludes } = value;
      if (excludes) excluded.add(`${list} ${id}`, at, length);
      else found[list].push({ id, at, length });
    }
    const meant = (list: TermList, hits: readonly TermHit[] = outermost(found[list])) =>
      hits.filter(({ id, at, length }) => !excluded.cover(`${list} ${id}`, at, length));
    return {
      services: meant('services'),
      service_areas: meant('service_areas').filter((hit) =>
        isPlace(tokens, hit, this.#trade, this.#language),
      ),
      problems: meant('problems'),
      topics: meant('topics', found.topics),
    };
  }
}

/** Returns the distinct ids of hits, sorted. */
export function termIds(hits: readonly { id: string }[]): string[] {
  return [...new Set(hits.map(({ id }) => id))].sort();
}

function inflectionsOf(form: string, { grammar }: Language): string[] {
  const words = form.split(' ');
  const [first] = words;
  const starts = form.includes('…') ? grammar.verbForms(first!) : [first!];
  return starts.flatMap((start) => {
    const rest = [start, ...words.slice(1)];
    const last = rest.pop()!;
    return [last, grammar.otherNumber(last)].map((end) => [...rest, end].join(' '));
  });
}

/**
 * Tells whether a hit is the place: `an old mill` is not the Old Mill. A name of several words must
 * be capitalized, or follow a preposition of place.
 */
function isPlace(
  tokens: readonly Token[],
  { at, length }: TermHit,
  { modifiers }: TradeSets,
  { namedAfterPlaces, placePrepositions, articles }: Language,
): boolean {
  const next = tokens[at + length];
  const isNamedAfter = namedAfterPlaces.has(next?.lower ?? '') || modifiers.has(next?.lower ?? '');
  if (next?.gap === ' ' && isCapitalized(next) && isNamedAfter) return false;
  if (length === 1 || isCapitalized(tokens[at + length - 1]!)) return true;
  const isThere = placePrepositions.has(tokens[at - 1]?.lower ?? '');
  return isThere && !articles.has(tokens[at]!.lower);
}
