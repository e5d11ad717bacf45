import type { Term, Vocabulary } from '../../schema/vocabulary.ts';
import { TechnicianNames } from './technician-names.ts';
import { TermFinder, type TermHit } from './term-finder.ts';
import type { Token } from './tokens.ts';

/** What a text mentions; technicians by id, the rest with where. */
export interface Mentions {
  technicians: string[];
  services: TermHit[];
  service_areas: TermHit[];
  problems: TermHit[];
}

/** Finds in a text what the vocabulary names. */
export class MentionFinder {
  readonly #technicians: TechnicianNames;
  readonly #services: TermFinder;
  readonly #areas: TermFinder;
  readonly #problems: TermFinder;

  constructor(vocabulary: Vocabulary) {
    this.#technicians = new TechnicianNames(vocabulary.technicians);
    this.#services = termFinder(vocabulary.services);
    this.#areas = termFinder(vocabulary.service_areas);
    this.#problems = termFinder(vocabulary.problems);
  }

  find(tokens: readonly Token[]): Mentions {
    return {
      technicians: [...this.#technicians.mentioned(tokens)].sort(),
      services: this.#services.find(tokens),
      service_areas: this.#areas.find(tokens).filter((hit) => isPlaceName(tokens, hit)),
      problems: this.#problems.find(tokens),
    };
  }

  /** Whether the words hold any form of a technician's name, be it meant or not. */
  mayName(tokens: readonly Token[]): boolean {
    return this.#technicians.mayName(tokens);
  }
}

/** The ids of hits, sorted, each once. */
export function idsOf(hits: readonly TermHit[]): string[] {
  return [...new Set(hits.map(({ id }) => id))].sort();
}

function termFinder(terms: readonly Term[]): TermFinder {
  return new TermFinder(
    terms.map(({ id, label, aliases, exclude }) => ({ id, forms: [label, ...aliases], exclude })),
  );
}

const PLACE_PREPOSITIONS = new Set('across around from in near of outside serving to'.split(' '));
const ARTICLES = new Set(['a', 'an', 'the']);
/** `Wexford Street` and `Wexford Plumbing` are not Wexford. */
const NAMED_AFTER = new Set(
  (
    'ave avenue bank church court ct dr drive electric heating hotel hvac inn lane ln mechanical ' +
    'plumbing rd road school st street terrace'
  ).split(' '),
);

/** `an old mill` is not the Old Mill: a name of several words is capitalised, or where one is. */
function isPlaceName(tokens: readonly Token[], { at, length }: TermHit): boolean {
  const next = tokens[at + length];
  if (next?.gap === ' ' && isCapitalised(next) && NAMED_AFTER.has(next.lower)) return false;
  if (length === 1 || isCapitalised(tokens[at + length - 1]!)) return true;
  const isThere = PLACE_PREPOSITIONS.has(tokens[at - 1]?.lower ?? '');
  return isThere && !ARTICLES.has(tokens[at]!.lower);
}

function isCapitalised({ text }: Token): boolean {
  return /^\p{Lu}/u.test(text);
}
