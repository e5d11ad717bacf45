import type { PerReview } from '../schema/insights.ts';
import type { Term, Vocabulary } from '../schema/vocabulary.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import { TechnicianNames } from './technician-names.ts';
import { tokenize, type Token } from './tokens.ts';

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

  find(text: string): EntityMentions {
    const tokens = tokenize(text);
    return {
      technicians: [...this.#technicians.mentioned(tokens)].sort(),
      services: mentioned(this.#services, tokens),
      service_areas: mentioned(this.#areas, tokens),
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

function mentioned(matcher: PhraseMatcher<string>, tokens: readonly Token[]): string[] {
  return [...new Set([...matcher.matches(tokens)].map((match) => match.value))].sort();
}
