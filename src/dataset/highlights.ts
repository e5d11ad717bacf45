import { OVERALL_ASPECT } from '../schema/vocabulary.ts';
import type { InsightsDataset, Sentiment } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';

type Aspect = InsightsDataset['aspects'][number];
type Counts = Pick<Aspect, 'id' | 'mention_count' | 'positive_count' | 'negative_count'>;
type Example = Pick<Aspect['examples'][number], 'quote' | 'sentiment'>;

const HIGHLIGHTS = 3;
/** Fewer mentions do not make a pattern. */
const MIN_MENTIONS = 5;

/**
 * Returns the most praised and the most criticized aspects; the built-in aspect of the business
 * itself is neither. Praised are those with a share of praise above that of all aspects of this
 * business, by their surplus of praise; criticized are those of the others with the most criticism.
 */
export function praisedAndCriticized<T extends Counts>(
  aspects: readonly T[],
): { praised: T[]; criticized: T[] } {
  const spoken = aspects.filter(
    ({ id, mention_count }) => mention_count >= MIN_MENTIONS && id !== OVERALL_ASPECT,
  );
  const sum = (count: 'positive_count' | 'mention_count') =>
    spoken.reduce((total, aspect) => total + aspect[count], 0);
  const mean = sum('positive_count') / sum('mention_count');
  const surplus = ({ positive_count, negative_count }: Counts) => positive_count - negative_count;
  const praised = spoken
    .filter((aspect) => surplus(aspect) > 0)
    .filter(({ positive_count, mention_count }) => positive_count / mention_count > mean)
    .sort((a, b) => surplus(b) - surplus(a))
    .slice(0, HIGHLIGHTS);
  const criticized = spoken
    .filter((aspect) => aspect.negative_count > 0 && !praised.includes(aspect))
    .sort((a, b) => b.negative_count - a.negative_count)
    .slice(0, HIGHLIGHTS);
  return { praised, criticized };
}

/** Returns the newest review with one or two stars. @param reviews newest first */
export function newestCritical(reviews: readonly Review[]): Review | undefined {
  return reviews.find(({ rating }) => rating <= 2);
}

/** The quotes of one page, each shown once. */
export class PageQuotes {
  readonly #shown: string[] = [];

  /** Returns the best example of a side that the page does not show yet, and counts it as shown. */
  next<T extends Example>(examples: readonly T[], side: Sentiment): T[] {
    const isNew = ({ quote }: Example) =>
      !this.#shown.some((shown) => shown.includes(quote) || quote.includes(shown));
    const example = examples.find((one) => one.sentiment === side && isNew(one));
    if (example) this.#shown.push(example.quote);
    return example ? [example] : [];
  }
}
