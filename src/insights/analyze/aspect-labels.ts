import type { PerReview } from '../../schema/insights.ts';
import type { AspectHit } from './aspect-finder.ts';
import type { Judge } from './judge.ts';
import { polarity } from './polarity.ts';
import { quoteAround } from './read-text.ts';

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
      const { at } = clearest(judge, hits, Math.sign(score), stars);
      return { id, sentiment: polarity(score), score, quote: quoteAround(judge.text, at) };
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
