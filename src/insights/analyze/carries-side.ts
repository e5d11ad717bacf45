import type { Sentiment } from '../../schema/insights.ts';
import type { Judge, Judgement } from './judge.ts';
import { isPlain, opinionsWithin, type Opinion } from './opinions.ts';
import type { ReadText } from './read-text.ts';
import type { Hit, Range } from './spans.ts';

/** Scores that a quote needs at three stars: of the model, and of the rules alone. */
const CLEAR = { score: 0.5, rules: 0.3 };
/** Score from which on an opinion of the other side counts. */
const OTHER_SIDE = 1;
/** Words between an aspect and the opinion of it, within a clause. */
const NEAR = 6;

/**
 * Tells whether a piece of a text says its side of an aspect by itself: without the stars, by the
 * rules and by the model.
 *
 * @param hits words of the aspect
 * @param side 1 for praise, -1 for criticism
 */
export function carriesSide(
  judge: Judge,
  hits: readonly Hit[],
  range: Range,
  side: number,
): boolean {
  const inside = hits.filter(({ at }) => at >= range.first && at <= range.last);
  return (
    isOneSided(judge.text, inside, range, side, judge.text.opinions) &&
    isClear(judge.target(inside, 3), side)
  );
}

/**
 * Returns the side that the sentence of a mention takes, and tells whether it says so by itself. The
 * words of the mention are no opinion: a frozen pipe is what the business came for.
 */
export function sentenceSide(
  judge: Judge,
  hit: Hit,
  range: Range,
): { sentiment: Sentiment; alone: boolean } {
  const opinions = judge.text.opinions.filter(({ at }) => at < hit.at || at >= hit.at + hit.length);
  const judged = judge.sentence(hit.at);
  const side = Math.sign(judged.score);
  const agrees = (opinion: Opinion) => isPlain(opinion) && opinion.score * side > 0;
  const here = opinionsWithin(opinions, range);
  if (!isClear(judged, side) || !here.some(agrees)) return { sentiment: 'neutral', alone: true };
  return {
    sentiment: side > 0 ? 'positive' : 'negative',
    alone: isOneSided(judge.text, [hit], range, side, opinions),
  };
}

function isClear({ score, rules }: Judgement, side: number): boolean {
  return score * side >= CLEAR.score && rules * side >= CLEAR.rules;
}

/**
 * Tells whether a plain opinion of a side is close to one of the words, and nothing in the piece is
 * of the other side, contrasted, hedged, asked or about somebody else.
 */
function isOneSided(
  { tokens, places, sides, others, unreal, lexicon }: ReadText,
  inside: readonly Hit[],
  { first, last }: Range,
  side: number,
  opinions: readonly Opinion[],
): boolean {
  const { hedges, recommendations } = lexicon.language;
  if (inside.length === 0) return false;
  if (places[first]!.segment !== places[last]!.segment) return false;
  if (sides[first]! * side < 0) return false;
  for (let at = first; at <= last; at++) {
    if (others.has(at) || unreal.has(at)) return false;
    const isAdvice = recommendations.has(tokens[at + 1]?.lower ?? '');
    if (hedges.has(tokens[at]!.lower) && !isAdvice) return false;
    if (tokens[at + 1]?.gap.includes('?')) return false;
  }
  const here = opinionsWithin(opinions, { first, last });
  if (here.some(({ score }) => score * side <= -OTHER_SIDE)) return false;
  return here.some(
    (opinion) =>
      opinion.score * side > 0 &&
      isPlain(opinion) &&
      inside.some(
        ({ at }) =>
          places[at]!.clause === places[opinion.at]!.clause && Math.abs(at - opinion.at) <= NEAR,
      ),
  );
}
