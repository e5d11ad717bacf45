import { round } from '../dataset/round.ts';
import type { PerReview } from '../schema/insights.ts';
import type { AspectFinder, AspectHit } from './aspect-finder.ts';
import { evidenceAt, polarity, score, type Evidence } from './polarity.ts';
import { quoteAround } from './quotes.ts';
import type { ReadText } from './read-text.ts';
import { Targets } from './targets.ts';

export type AspectLabel = PerReview['aspects'][number];

/** What a text says about each aspect it speaks of, sorted by id. */
export function labelAspects(text: ReadText, finder: AspectFinder, stars: number): AspectLabel[] {
  const byAspect = new Map<string, AspectHit[]>();
  const found = finder.find(text.tokens);
  const targets = new Targets(
    text.tokens,
    found.map(({ at }) => at),
  );
  for (const hit of found) {
    const hits = byAspect.get(hit.aspect);
    if (hits) hits.push(hit);
    else byAspect.set(hit.aspect, [hit]);
  }
  return [...byAspect]
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
  const total: Evidence = { sum: 0, count: 0 };
  let strongest = hits[0]!;
  let strength = 0;
  for (const hit of hits) {
    const evidence = evidenceAt(text, hit.at, targets);
    total.sum += evidence.sum;
    total.count += evidence.count;
    if (Math.abs(evidence.sum) > strength) {
      strength = Math.abs(evidence.sum);
      strongest = hit;
    }
  }
  const value = score(total, stars);
  return {
    id,
    sentiment: polarity(value),
    score: round(value, 3),
    quote: quoteAround(text, strongest.at),
  };
}
