import { round } from '../../base/round.ts';
import type { PerReview } from '../../schema/insights.ts';
import type { AspectHit } from './aspect-finder.ts';
import { carriesSide } from './carries-side.ts';
import type { Judge } from './judge.ts';
import { polarity, SIDE } from './polarity.ts';
import { quoteRange, slice } from './read-text.ts';

type AspectLabel = PerReview['aspects'][number];

/** Labels each aspect found in a text, sorted by id. */
export function labelAspects(
  judge: Judge,
  found: readonly AspectHit[],
  stars: number,
): AspectLabel[] {
  return [...Map.groupBy(found, ({ aspect }) => aspect)]
    .map(([id, hits]) => {
      const { score: judged, part } = judge.target(hits, stars);
      const side = Math.sign(judged);
      const { at } = clearest(judge, hits, side, stars);
      const range = quoteRange(judge.text, at);
      const isSided = polarity(judged) !== 'neutral';
      const alone = isSided && carriesSide(judge, hits, range, side);
      // Against one or five stars, only what says its side alone is likely to mean it.
      const isDoubtful = isSided && !alone && part === 0 && side * (stars - 3) === -2;
      const score = isDoubtful ? round(SIDE * 0.9 * judged, 3) : judged;
      const quote = slice(judge.text, range);
      return { id, sentiment: isDoubtful ? 'neutral' : polarity(score), score, quote, alone };
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
