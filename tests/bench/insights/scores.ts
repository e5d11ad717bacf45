import { CLASSES } from '../../../src/insights/analyze/polarity-model.ts';
import type { Sentiment } from '../../../src/schema/insights.ts';

/** Pairs of true and predicted sentiment. */
export type Judgements = readonly { gold: Sentiment; said: Sentiment }[];

export function accuracy(judgements: Judgements): number {
  return judgements.filter(({ gold, said }) => gold === said).length / judgements.length;
}

/** Returns the mean F1 of the three classes. */
export function macroF1(judgements: Judgements): number {
  const f1 = (one: Sentiment) => {
    const both = judgements.filter(({ gold, said }) => gold === one && said === one).length;
    const gold = judgements.filter((judgement) => judgement.gold === one).length;
    const said = judgements.filter((judgement) => judgement.said === one).length;
    return gold + said === 0 ? 0 : (2 * both) / (gold + said);
  };
  return CLASSES.reduce((sum, one) => sum + f1(one), 0) / CLASSES.length;
}

/** Returns the share of judgements that say the opposite: praise for criticism, or the reverse. */
export function reversed(judgements: Judgements): number {
  const isOpposite = ({ gold, said }: Judgements[number]) =>
    gold !== said && gold !== 'neutral' && said !== 'neutral';
  return judgements.filter(isOpposite).length / judgements.length;
}

/** Counts found, missed and invented ids over many sets. */
export class SetScore {
  #found = 0;
  #missed = 0;
  #invented = 0;

  add(gold: readonly string[], said: readonly string[]): void {
    this.#found += gold.filter((id) => said.includes(id)).length;
    this.#missed += gold.filter((id) => !said.includes(id)).length;
    this.#invented += said.filter((id) => !gold.includes(id)).length;
  }

  get precision(): number {
    return this.#found / (this.#found + this.#invented);
  }

  get recall(): number {
    return this.#found / (this.#found + this.#missed);
  }

  get f1(): number {
    return (2 * this.#found) / (2 * this.#found + this.#missed + this.#invented);
  }
}
