import type { PerReview } from '../schema/insights.ts';
import type { Term, Vocabulary } from '../schema/vocabulary.ts';
import { PhraseMatcher, type PhraseMatch } from './phrase-matcher.ts';
import { TechnicianNames } from './technician-names.ts';
import type { Token } from './tokens.ts';

export type EntityMentions = Pick<
  PerReview,
  'technicians' | 'services' | 'service_areas' | 'problems'
>;

/** Finds in a text what the vocabulary names. Ids come sorted. */
export class MentionFinder {
  readonly #technicians: TechnicianNames;
  readonly #services: PhraseMatcher<string>;
  readonly #areas: PhraseMatcher<string>;
  readonly #problems: PhraseMatcher<string>;

  constructor(vocabulary: Vocabulary) {
    this.#technicians = new TechnicianNames(vocabulary.technicians);
    this.#services = termMatcher(vocabulary.services);
    this.#areas = termMatcher(vocabulary.service_areas);
    this.#problems = termMatcher(vocabulary.problems);
  }

  find(tokens: readonly Token[]): EntityMentions {
    return {
      technicians: [...this.#technicians.mentioned(tokens)].sort(),
      services: mentioned(this.#services, tokens),
      service_areas: mentioned(this.#areas, tokens, isPlaceName),
      problems: mentioned(this.#problems, tokens),
    };
  }
}

function termMatcher(terms: readonly Term[]): PhraseMatcher<string> {
  const matcher = new PhraseMatcher<string>();
  for (const { id, label, aliases } of terms) {
    for (const form of new Set([label, ...aliases])) matcher.add(form, id);
  }
  return matcher;
}

function mentioned(
  matcher: PhraseMatcher<string>,
  tokens: readonly Token[],
  accepts: (tokens: readonly Token[], match: PhraseMatch<string>) => boolean = () => true,
): string[] {
  const matches = [...matcher.matches(tokens)].filter((match) => accepts(tokens, match));
  return [...new Set(matches.map(({ value }) => value))].sort();
}

/** `an old mill` is not the Old Mill: a name of several words has to be written as one. */
function isPlaceName(tokens: readonly Token[], { at, length }: PhraseMatch<string>): boolean {
  return length === 1 || /^\p{Lu}/u.test(tokens[at + length - 1]!.text);
}
