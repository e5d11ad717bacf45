import type { Judge } from './judge.ts';
import { opinionsBetween } from './opinions.ts';
import type { Hit, Range } from './scope.ts';

/** Scores that a quote needs at three stars: of the model, and of the rules alone. */
const CLEAR = { score: 0.5, rules: 0.3 };
/** Scores of opinions that count, on the scale of the lexicon. */
const STRONG = 1;
/** Words between an aspect and the opinion of it, within a clause. */
const NEAR = 6;

/**
 * Tells whether a piece of a text says its side by itself: without the stars, by the rules and by the
 * model, with an opinion of this side close to the aspect, and none of the other side, no denial, no
 * hedge, no question and nothing about somebody else.
 *
 * @param hits words of the aspect
 * @param side 1 for praise, -1 for criticism
 */
export function carriesSide(
  judge: Judge,
  hits: readonly Hit[],
  { first, last }: Range,
  side: number,
): boolean {
  const { tokens, places, opinions, others, lexicon } = judge.text;
  const { hedges, recommendations } = lexicon.language;
  const inside = hits.filter(({ at }) => at >= first && at <= last);
  if (inside.length === 0 || inside.some(({ at }) => others.has(places[at]!.clause))) return false;
  for (let at = first; at <= last; at++) {
    const isAdvice = recommendations.has(tokens[at + 1]?.lower ?? '');
    if (hedges.has(tokens[at]!.lower) && !isAdvice) return false;
    if (tokens[at + 1]?.gap.includes('?')) return false;
  }
  const here = opinionsBetween(opinions, first, last);
  if (here.some(({ score, isDenial }) => isDenial || score * side <= -STRONG)) return false;
  const isNear = here.some(
    (opinion) =>
      opinion.score * side >= STRONG &&
      inside.some(
        ({ at }) =>
          places[at]!.clause === places[opinion.at]!.clause && Math.abs(at - opinion.at) <= NEAR,
      ),
  );
  if (!isNear) return false;
  const { score, rules } = judge.target(inside, 3);
  return score * side >= CLEAR.score && rules * side >= CLEAR.rules;
}
