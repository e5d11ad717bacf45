import type { PerReview } from '../../schema/insights.ts';
import type { AspectHit } from './aspect-finder.ts';
import { carriesSide } from './carries-side.ts';
import type { Judge } from './judge.ts';
import { polarity } from './polarity.ts';
import { quoteRange, slice } from './read-text.ts';

export type AspectLabel = PerReview['aspects'][number];

/** Labels each aspect found in a text, sorted by id. */
export function labelAspects(
  judge: Judge,
  found: readonly AspectHit[],
  stars: number,
): AspectLabel[] {
  return [...Map.groupBy(found, ({ aspect }) => aspect)]
    .map(([id, hits]) => {
      const { score } = judge.target(hits, stars);
      const side = Math.sign(score);
      const { at } = clearest(judge, hits, side, stars);
      const [first, last] = quoteRange(judge.text, at);
      const sentiment = polarity(score);
      const alone = sentiment !== 'neutral' && carriesSide(judge, hits, { first, last }, side);
      return { id, sentiment, score, quote: slice(judge.text, first, last), alone };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns a mention in the sentence that speaks most clearly for the side of the label. */
function clearest(
  judge: Judge,
  hits: readonly AspectHit[],
  side: number,
  stars: number,
): AspectHit {
  const { places } = judge.text;
  const sentences = [...Map.groupBy(hits, ({ at }) => places[at]!.sentence).values()];
  if (sentences.length === 1) return hits[0]!;
  return sentences
    .map((within) => ({ hit: within[0]!, agreement: side * judge.target(within, stars).score }))
    .reduce((best, next) => (next.agreement > best.agreement ? next : best)).hit;
}
