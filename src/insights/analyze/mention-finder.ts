import type { Term, Vocabulary } from '../../schema/vocabulary.ts';
import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';
import { TechnicianNames, type NameHit } from './technician-names.ts';
import { TermFinder, type TermHit } from './term-finder.ts';
import type { Token } from './tokens.ts';
import { tradeOf, type TradeSets } from './trade.ts';

/** The mentions in a text, with their places. */
export interface Mentions {
  technicians: NameHit[];
  services: TermHit[];
  service_areas: TermHit[];
  problems: TermHit[];
}

/** Finds mentions of the vocabulary's entries. */
export class MentionFinder {
  readonly #technicians: TechnicianNames;
  readonly #services: TermFinder;
  readonly #areas: TermFinder;
  readonly #problems: TermFinder;
  readonly #trade: TradeSets;

  constructor(vocabulary: Vocabulary, language: Language = ENGLISH) {
    this.#technicians = new TechnicianNames(vocabulary, language);
    this.#services = termFinder(vocabulary.services, language);
    this.#areas = termFinder(vocabulary.service_areas, language);
    this.#problems = termFinder(vocabulary.problems, language);
    this.#trade = tradeOf(vocabulary.trade, language);
  }

  find(tokens: readonly Token[]): Mentions {
    return {
      technicians: this.#technicians.find(tokens),
      services: this.#services.find(tokens),
      service_areas: this.#areas
        .find(tokens)
        .filter((hit) => isPlaceName(tokens, hit, this.#trade)),
      problems: this.#problems.find(tokens),
    };
  }

  /** Tells whether a text may name a person, a technician or a stranger. */
  mayName(tokens: readonly Token[]): boolean {
    return this.#technicians.mayName(tokens);
  }
}

/** Returns the distinct ids of hits, sorted. */
export function idsOf(hits: readonly { id: string }[]): string[] {
  return [...new Set(hits.map(({ id }) => id))].sort();
}

function termFinder(terms: readonly Term[], language: Language): TermFinder {
  return new TermFinder(
    terms.map(({ id, label, aliases, exclude }) => ({ id, forms: [label, ...aliases], exclude })),
    { language },
  );
}

/**
 * Tells whether a hit is the place: `an old mill` is not the Old Mill. A name of several words must
 * be capitalized, or follow a preposition of place.
 */
function isPlaceName(
  tokens: readonly Token[],
  { at, length }: TermHit,
  { modifiers }: TradeSets,
): boolean {
  const next = tokens[at + length];
  const isNamedAfter =
    ENGLISH.namedAfterPlaces.has(next?.lower ?? '') || modifiers.has(next?.lower ?? '');
  if (next?.gap === ' ' && isCapitalised(next) && isNamedAfter) return false;
  if (length === 1 || isCapitalised(tokens[at + length - 1]!)) return true;
  const isThere = ENGLISH.placePrepositions.has(tokens[at - 1]?.lower ?? '');
  return isThere && !ENGLISH.articles.has(tokens[at]!.lower);
}

function isCapitalised({ text }: Token): boolean {
  return /^\p{Lu}/u.test(text);
}
