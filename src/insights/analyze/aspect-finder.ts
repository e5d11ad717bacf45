import type { AspectTerms } from '../../schema/vocabulary.ts';
import { thirdPartyClauses } from './clauses.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import type { ReadText } from './read-text.ts';
import { Spans } from './positions.ts';

/** A mention of an aspect. */
export interface AspectHit {
  aspect: string;
  /** Index of the first word. */
  at: number;
  length: number;
}

interface Form {
  aspect: string;
  /**
   * A term always mentions the aspect, a subject only if its clause has an opinion, an exclusion
   * never.
   */
  is: 'term' | 'subject' | 'exclusion';
}

/** The parts of a taxonomy that the finder needs. */
export type AspectForms = Pick<AspectTerms, 'id' | 'terms'> &
  Partial<Pick<AspectTerms, 'phrases' | 'subjects' | 'exclude' | 'yields_to'>>;

/** Finds mentions of aspects by the words of the taxonomy. */
export class AspectFinder {
  readonly #matcher = new PhraseMatcher<Form>();
  readonly #yieldsTo = new Map<string, ReadonlySet<string>>();

  constructor(taxonomy: readonly AspectForms[]) {
    for (const { id, terms, phrases = [], subjects = [], exclude = [], yields_to } of taxonomy) {
      this.#add(id, 'term', [...terms, ...phrases]);
      this.#add(id, 'subject', subjects);
      this.#add(id, 'exclusion', exclude);
      if (yields_to?.length) this.#yieldsTo.set(id, new Set(yields_to));
    }
  }

  /**
   * Returns the mentions in the order of the text, without those in clauses about somebody else. If
   * mentions of an aspect overlap, the first counts.
   */
  find({ tokens, places, opinions }: ReadText): AspectHit[] {
    const matches = [...this.#matcher.everyMatch(tokens)];
    const excluded = new Spans();
    for (const { value, at, length } of matches) {
      if (value.is === 'exclusion') excluded.add(value.aspect, at, length);
    }
    const others = thirdPartyClauses(tokens, places);
    const judged = new Set(opinions.map(({ at }) => places[at]!.clause));
    const found = new Spans();
    const inClause = new Map<number, Set<string>>();
    const hits: AspectHit[] = [];
    for (const { value, at, length } of matches) {
      const { aspect, is } = value;
      const { clause } = places[at]!;
      if (is === 'exclusion' || excluded.cover(aspect, at, length)) continue;
      if (others.has(clause) || (is === 'subject' && !judged.has(clause))) continue;
      if (found.cover(aspect, at, length)) continue;
      found.add(aspect, at, length);
      hits.push({ aspect, at, length });
      inClause.set(clause, (inClause.get(clause) ?? new Set()).add(aspect));
    }
    return hits.filter(({ aspect, at }) => {
      const stronger = this.#yieldsTo.get(aspect);
      return !stronger || inClause.get(places[at]!.clause)!.isDisjointFrom(stronger);
    });
  }

  #add(aspect: string, is: Form['is'], forms: readonly string[]): void {
    for (const form of forms) this.#matcher.add(form, { aspect, is });
  }
}
