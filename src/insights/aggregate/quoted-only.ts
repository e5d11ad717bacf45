import { firstIndex } from '../../base/first-index.ts';
import type { PerReview } from '../../schema/insights.ts';
import { starSentiment } from '../analyze/polarity.ts';

/** Fewest reviews of four stars or more, and of fewer stars, that a check needs. */
const MIN_CHECKED = 30;
/** Pairs of a praising and a blaming review, of 100, that the words must tell apart. */
const MIN_TOLD_APART = 80;

type Quoted = Pick<PerReview, 'quoted' | 'phrases'>;

/**
 * Returns what may be quoted from the reviews of a language whose sides are too uncertain for shares:
 * mentions, with a side where words and stars agree, and phrases of that side. Returns undefined
 * unless the words of this business's own reviews agree with their stars often enough.
 *
 * @param reviews with their stars, read by their words alone
 */
export function quotedOnly(
  reviews: readonly [stars: number, reading: PerReview][],
): Quoted[] | undefined {
  const scoreOf = ({ aspects }: PerReview) =>
    Math.round(1000 * aspects.reduce((sum, { score }) => sum + score, 0));
  const scoresOf = (isPraise: boolean) =>
    reviews.filter(([stars]) => stars > 3 === isPraise).map(([, reading]) => scoreOf(reading));
  const [praise, blame] = [scoresOf(true), scoresOf(false)];
  if (Math.min(praise.length, blame.length) < MIN_CHECKED) return undefined;
  if (toldApart(praise, blame) < MIN_TOLD_APART) return undefined;
  return reviews.map(([stars, { aspects, phrases }]) => {
    const side = starSentiment(stars);
    const quoted = aspects.map((label) => {
      const agrees = label.sentiment === side || (side === 'neutral' && label.alone);
      return agrees
        ? label
        : { ...label, sentiment: 'neutral' as const, quote: null, alone: false };
    });
    const sided = new Set(
      quoted.filter(({ sentiment }) => sentiment !== 'neutral').map(({ id }) => id),
    );
    return { quoted, phrases: phrases.filter(({ aspect }) => sided.has(aspect)) };
  });
}

/** Returns the pairs, of 100, in which praise scores higher; ties count half. */
function toldApart(praise: readonly number[], blame: readonly number[]): number {
  const ascending = blame.toSorted((a, b) => a - b);
  const below = (score: number) => firstIndex(ascending.length, (at) => ascending[at]! >= score);
  const halves = praise.reduce((sum, score) => sum + below(score) + below(score + 1), 0);
  return (50 * halves) / (praise.length * blame.length);
}
