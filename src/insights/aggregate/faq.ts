import { percentageOrNull } from '../../base/round.ts';
import type { FaqEntry } from '../../schema/faq.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { countSides } from './counts.ts';
import { bothSides, quotables, type Quotable } from './quotes.ts';

type Answer = InsightsDataset['faq'][number];

/** Questions with fewer reviews on them are left out. */
const MIN_EVIDENCE = 3;
const QUOTES = 4;
/** The kinds of evidence that are found by their words alone. */
const KINDS = ['topics', 'services', 'problems'] as const;
const figure = new Intl.NumberFormat('en-US');

/**
 * Returns the questions of content/faq and of the trade pack, each with every review on it, newest
 * first. Counts answer the questions of the pack. A text is quoted for one question only.
 */
export function answerFaq(
  faq: readonly FaqEntry[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
  aspects: InsightsDataset['aspects'],
): Answer[] {
  const quoted = new Set<string>();
  return faq
    .map(({ id, question, answer, evidence, claims }) => {
      const about = reviews.filter((review) => isEvidence(evidence, perReview[review.id]!));
      const ids = about.map((review) => review.id);
      const verdicts = ids.map((reviewId) => verdict(evidence, perReview[reviewId]!));
      const { positive: favorable_count, negative: critical_count } = countSides(verdicts);
      const counts = { evidence_count: ids.length, favorable_count, critical_count };
      const quotes = quotesOn(evidence, about, perReview).filter(({ text }) => !quoted.has(text));
      const chosen = chooseQuotes(quotes, verdicts, reviews[0]?.date);
      for (const { text } of chosen) quoted.add(text);
      return {
        id,
        question,
        answer: answer ?? countedAnswer(counts),
        counted: answer === null,
        ...counts,
        evidence_review_ids: ids,
        evidence,
        claims: claims.map((claim) => check(claim, aspects)),
        quotes: chosen.map(({ review, text, sentiment }) => ({
          review_id: review.id,
          text,
          sentiment,
        })),
      };
    })
    .filter(({ evidence_count }) => evidence_count >= MIN_EVIDENCE);
}

/** Compares a claim of an answer with the counts of its aspect. */
function check(
  { aspect, side, min_share }: FaqEntry['claims'][number],
  aspects: InsightsDataset['aspects'],
): Answer['claims'][number] {
  const counted = aspects.find(({ id }) => id === aspect);
  const share = counted ? percentageOrNull(counted[`${side}_count`], counted.mention_count) : null;
  return { aspect, side, min_share, share, holds: share !== null && share >= min_share };
}

function countedAnswer({
  evidence_count: all,
  favorable_count: favorable,
  critical_count: critical,
}: Pick<Answer, 'evidence_count' | 'favorable_count' | 'critical_count'>): string {
  const mention = `${figure.format(all)} reviews mention it`;
  if (favorable + critical === 0) return `${mention}.`;
  return `${mention}: ${figure.format(favorable)} favorably, ${figure.format(critical)} critically.`;
}

/** Returns the quotes of both sides that were counted, or none if a side has no quote. */
function chooseQuotes(
  quotes: readonly Quotable[],
  verdicts: readonly Sentiment[],
  newest: string | undefined,
): Quotable[] {
  const sides = (['positive', 'negative'] as const).filter((side) => verdicts.includes(side));
  const isQuoted = (side: Sentiment) => quotes.some(({ sentiment }) => sentiment === side);
  return sides.every(isQuoted) ? bothSides(quotes, QUOTES, newest) : [];
}

/**
 * Returns the side that a review takes on a question: that of its clearest aspect, else of the
 * sentences on the question. Stars do not count: they judge the visit. Sentences that disagree, or
 * that only name a topic, take no side.
 */
function verdict(evidence: FaqEntry['evidence'], labels: PerReview): Sentiment {
  const aspect = clearestAspect(evidence, labels.aspects);
  if (aspect) return aspect.sentiment;
  const sides = new Set(passagesOn(evidence, labels).map(({ sentiment }) => sentiment));
  if (sides.has('positive') === sides.has('negative')) return 'neutral';
  return sides.has('positive') ? 'positive' : 'negative';
}

function passagesOn(
  evidence: FaqEntry['evidence'],
  { passages }: PerReview,
): PerReview['passages'] {
  return passages.filter(({ kind, id }) => evidence[kind].includes(id));
}

function clearestAspect(
  evidence: FaqEntry['evidence'],
  aspects: PerReview['aspects'],
): PerReview['aspects'][number] | undefined {
  return aspects
    .filter(({ id }) => evidence.aspects.includes(id))
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score))[0];
}

function isEvidence(evidence: FaqEntry['evidence'], labels: PerReview): boolean {
  return (
    labels.aspects.some(({ id }) => evidence.aspects.includes(id)) ||
    KINDS.some((kind) => labels[kind].some((id) => evidence[kind].includes(id)))
  );
}

/** Returns a quote of each review on a question, on the side that the review was counted for. */
function quotesOn(
  evidence: FaqEntry['evidence'],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): Quotable[] {
  return reviews.flatMap((review) => {
    const labels = perReview[review.id]!;
    const side = verdict(evidence, labels);
    const onSide = labels.aspects.filter(
      ({ quote, sentiment, alone }) => quote !== null && alone && sentiment === side,
    );
    const aspect = clearestAspect(evidence, onSide);
    if (aspect) return quotables(review, [aspect]).slice(0, 1);
    return passagesOn(evidence, labels)
      .filter(({ sentiment }) => sentiment === side)
      .flatMap(({ text: quote }) => quotables(review, [{ quote, sentiment: side, score: 0 }]))
      .slice(0, 1);
  });
}
