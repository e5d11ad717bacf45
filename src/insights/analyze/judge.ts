import { round } from '../../base/round.ts';
import { TextFeatures, type Features } from './features.ts';
import { ruleScore, SIDE } from './polarity.ts';
import type { Chances, PolarityModel } from './polarity-model.ts';
import type { ReadText } from './read-text.ts';
import { evidenceIn, scopeOf, sentenceScope, textScope, type Scope } from './scope.ts';
import type { Hit } from './spans.ts';

/** The polarity of a text about one target, with its evidence. */
export interface Judgement {
  /** From -1 to 1, with three decimals; its side is the class with the best chance. */
  score: number;
  /** The score of the rules alone, from -1 to 1. */
  rules: number;
  features: Features;
  scope: Scope;
  /** The part of a form that it is in: from -1 for criticism to 1 for praise; 0 without parts. */
  part: number;
}

/** Judges what a text says about its targets. */
export class Judge {
  readonly text: ReadText;
  readonly #model: PolarityModel;
  readonly #features: TextFeatures;
  readonly #sentences = new Map<number, Judgement>();

  /**
   * @param found words of all targets
   * @param named words that name other things
   */
  constructor(
    text: ReadText,
    found: readonly Hit[],
    model: PolarityModel,
    named: readonly Hit[] = [],
  ) {
    this.text = text;
    this.#model = model;
    this.#features = new TextFeatures(text, [...found, ...named], model.rowOf);
  }

  /**
   * Judges a target.
   *
   * @param hits its words, ascending
   */
  target(hits: readonly Hit[], stars: number): Judgement {
    return this.#judge(scopeOf(this.text, hits), hits, stars);
  }

  /** Judges the sentence around a word, which is quoted for its words: stars do not count. */
  sentence(at: number): Judgement {
    const { sentence } = this.text.places[at]!;
    let judgement = this.#sentences.get(sentence);
    if (!judgement) {
      judgement = this.#judge(sentenceScope(this.text, at), [], 3);
      this.#sentences.set(sentence, judgement);
    }
    return judgement;
  }

  /** Judges the text. */
  all(stars: number): Judgement {
    return this.#judge(textScope(this.text), [], stars);
  }

  #judge(scope: Scope, hits: readonly Hit[], stars: number): Judgement {
    const evidence = evidenceIn(this.text, scope);
    const rules = ruleScore(evidence);
    const features = this.#features.of(hits, scope, evidence);
    const { sides } = this.text;
    const words =
      hits.length > 0 ? hits.map(({ at }) => at) : scope.ranges.map(({ first }) => first);
    const part = words.reduce((sum, at) => sum + sides[at]!, 0) / Math.max(1, words.length);
    // Without an opinion in words, the stars judge something else.
    const isSilent = evidence.good === 0 && evidence.bad === 0;
    const chances = this.#model.chancesOf(features, rules, isSilent ? 3 : stars, part);
    const score = round(scoreOf(chances, isSilent ? 3 : stars), 3);
    return { score, rules, features, scope, part };
  }
}

/**
 * With a smaller lead no side is taken: an unclear label is better than the opposite one. So a label with
 * a side has a score of .505 or more if the stars agree, else of .775.
 */
const MIN_LEAD = { agreed: 0.45, alone: 0.75 };

/** Returns the lead of praise over criticism, moved to the side of the class with the best chance. */
function scoreOf([negative, neutral, positive]: Chances, stars: number): number {
  const lead = positive - negative;
  const least = lead * (stars - 3) > 0 ? MIN_LEAD.agreed : MIN_LEAD.alone;
  const isUnclear = Math.abs(lead) < least || neutral >= Math.max(negative, positive);
  if (isUnclear) return SIDE * lead;
  return Math.sign(lead) * SIDE + (1 - SIDE) * lead;
}
