import { round } from '../../dataset/round.ts';
import type { PerReview } from '../../schema/insights.ts';
import type { AspectHit } from './aspect-finder.ts';
import { evidenceAt, polarity, score, sumEvidence, type Evidence } from './polarity.ts';
import { quoteAround, type ReadText } from './read-text.ts';
import { Targets } from './targets.ts';

export type AspectLabel = PerReview['aspects'][number];

/** Labels each aspect found in a text, sorted by id. */
export function labelAspects(
  text: ReadText,
  found: readonly AspectHit[],
  stars: number,
): AspectLabel[] {
  const targets = new Targets(
    text.tokens,
    found.map(({ at }) => at),
  );
  return [...Map.groupBy(found, ({ aspect }) => aspect)]
    .map(([id, hits]) => labelAspect(text, id, hits, targets, stars))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function labelAspect(
  text: ReadText,
  id: string,
  hits: readonly AspectHit[],
  targets: Targets,
  stars: number,
): AspectLabel {
  const evidence = hits.map((hit) => evidenceAt(text, hit.at, targets));
  const strength = ({ good, bad }: Evidence) => Math.abs(good - bad);
  const strongest = evidence.reduce(
    (best, next, index) => (strength(next) > strength(evidence[best]!) ? index : best),
    0,
  );
  const value = round(score(sumEvidence(evidence), stars), 3);
  return {
    id,
    sentiment: polarity(value),
    score: value,
    quote: quoteAround(text, hits[strongest]!.at),
  };
}
