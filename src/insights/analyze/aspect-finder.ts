import type { AspectTerms } from '../../schema/vocabulary.ts';
import { clausesOfOthers } from './others.ts';
import { PhraseMatcher, type PhraseMatch } from './phrase-matcher.ts';
import type { ReadText } from './read-text.ts';

/** Where a text speaks of an aspect. */
export interface AspectHit {
  aspect: string;
  /** Index of the first word. */
  at: number;
  length: number;
}

interface Form {
  aspect: string;
  /** A term speaks of the aspect, a subject where it is judged; an exclusion means other things. */
  is: 'term' | 'subject' | 'exclusion';
}

type Match = PhraseMatch<Form>;

/** What the finder needs of a taxonomy. */
export type AspectForms = Pick<AspectTerms, 'id' | 'terms'> &
  Partial<Pick<AspectTerms, 'phrases' | 'subjects' | 'exclude' | 'yields_to'>>;

/** Finds the aspects a text speaks of, by the words of the taxonomy. */
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
   * Hits in the order of the text, but those said of somebody else; of hits of one aspect that
   * overlap, the first.
   */
  find(text: ReadText): AspectHit[] {
    const matches = [...this.#matcher.everyMatch(text.tokens)];
    const excluded = matches.filter(({ value }) => value.is === 'exclusion');
    const others = clausesOfOthers(text.tokens, text.places);
    const hits: AspectHit[] = [];
    for (const match of matches) {
      const { aspect, is } = match.value;
      if (is === 'exclusion' || excluded.some((other) => means(other, match))) continue;
      if (others.has(text.places[match.at]!.clause)) continue;
      if (is === 'subject' && !isJudged(text, match)) continue;
      if (hits.some((hit) => hit.aspect === aspect && within(match, hit))) continue;
      hits.push({ aspect, at: match.at, length: match.length });
    }
    return hits.filter((hit) => !this.#yields(text, hit, hits));
  }

  #add(aspect: string, is: Form['is'], forms: readonly string[]): void {
    for (const form of forms) this.#matcher.add(form, { aspect, is });
  }

  #yields({ places }: ReadText, hit: AspectHit, hits: readonly AspectHit[]): boolean {
    const stronger = this.#yieldsTo.get(hit.aspect);
    if (!stronger) return false;
    const { clause } = places[hit.at]!;
    return hits.some(({ aspect, at }) => stronger.has(aspect) && places[at]!.clause === clause);
  }
}

/** Whether an excluded phrase takes the words of a match away. */
function means(excluded: Match, match: Match): boolean {
  return (
    excluded.value.aspect === match.value.aspect &&
    excluded.length > match.length &&
    within(match, excluded)
  );
}

function isJudged({ opinions, places }: ReadText, { at }: Match): boolean {
  const { clause } = places[at]!;
  return opinions.some((opinion) => places[opinion.at]!.clause === clause);
}

function within(inner: Pick<Match, 'at' | 'length'>, outer: typeof inner): boolean {
  return inner.at >= outer.at && inner.at + inner.length <= outer.at + outer.length;
}
