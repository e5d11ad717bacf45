import type { AspectTerms } from '../schema/vocabulary.ts';
import { PhraseMatcher, type PhraseMatch } from './phrase-matcher.ts';
import type { Token } from './tokens.ts';

/** Where a text speaks of an aspect. */
export interface AspectHit {
  aspect: string;
  /** Index of the first word. */
  at: number;
  length: number;
}

interface Form {
  aspect: string;
  /** A phrase in which the term means something else. */
  excluded: boolean;
}

/** Finds the aspects a text speaks of, by the terms and phrases of the taxonomy. */
export class AspectFinder {
  readonly #matcher = new PhraseMatcher<Form>();

  constructor(taxonomy: readonly AspectTerms[]) {
    for (const { id, terms, phrases, exclude } of taxonomy) {
      for (const form of [...terms, ...phrases]) {
        this.#matcher.add(form, { aspect: id, excluded: false });
      }
      for (const form of exclude) this.#matcher.add(form, { aspect: id, excluded: true });
    }
  }

  /** Hits in the order of the text; of hits of one aspect that overlap, the first. */
  find(tokens: readonly Token[]): AspectHit[] {
    const matches = [...this.#matcher.everyMatch(tokens)];
    const excluded = matches.filter(({ value }) => value.excluded);
    const hits: AspectHit[] = [];
    for (const match of matches) {
      const { aspect } = match.value;
      if (match.value.excluded) continue;
      const means = excluded.some(
        (other) =>
          other.value.aspect === aspect && other.length > match.length && within(match, other),
      );
      const known = hits.some((hit) => hit.aspect === aspect && within(match, hit));
      if (!means && !known) hits.push({ aspect, at: match.at, length: match.length });
    }
    return hits;
  }
}

function within(inner: Pick<PhraseMatch<unknown>, 'at' | 'length'>, outer: typeof inner): boolean {
  return inner.at >= outer.at && inner.at + inner.length <= outer.at + outer.length;
}
