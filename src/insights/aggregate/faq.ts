import { percentageOrNull } from '../../dataset/round.ts';
import type { FaqEntry } from '../../schema/faq.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { bothSides, quotables, type Quotable } from './quotes.ts';

type Answer = InsightsDataset['faq'][number];

/** Questions with fewer reviews on them are left out. */
const MIN_EVIDENCE = 3;
const QUOTES = 4;
const figure = new Intl.NumberFormat('en-US');

/**
 * Returns the questions of content/faq and of the trade pack, each with every review on it, newest
 * first. Counts answer the questions of the pack.
 */
export function answerFaq(
  faq: readonly FaqEntry[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
  aspects: InsightsDataset['aspects'],
): Answer[] {
  return faq
    .map(({ id, question, answer, evidence, claims }) => {
      const about = reviews.filter((review) => isEvidence(evidence, perReview[review.id]!));
      const ids = about.map((review) => review.id);
      return {
        id,
        question,
        answer:
          answer ?? countedAnswer(ids.map((reviewId) => verdict(evidence, perReview[reviewId]!))),
        counted: answer === null,
        evidence_count: ids.length,
        evidence_review_ids: ids,
        evidence,
        claims: claims.map((claim) => check(claim, aspects)),
        quotes: bothSides(
          about.flatMap((review) => candidate(review, evidence, perReview[review.id]!) ?? []),
          QUOTES,
          reviews[0]?.date,
        ).map(({ review, text, sentiment }) => ({ review_id: review.id, text, sentiment })),
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

function countedAnswer(verdicts: readonly Sentiment[]): string {
  const count = (sentiment: Sentiment) => verdicts.filter((one) => one === sentiment).length;
  return (
    `${figure.format(verdicts.length)} reviews mention it: ` +
    `${figure.format(count('positive'))} favorably, ${figure.format(count('negative'))} critically.`
  );
}

/** Returns the sentiment of a review on a question: of its clearest aspect, else of its stars. */
function verdict(evidence: FaqEntry['evidence'], labels: PerReview): Sentiment {
  return clearestAspect(evidence, labels.aspects)?.sentiment ?? labels.sentiment;
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
    labels.topics.some((id) => evidence.topics.includes(id)) ||
    labels.services.some((id) => evidence.services.includes(id)) ||
    labels.problems.some((id) => evidence.problems.includes(id))
  );
}

/**
 * Returns a review's quote on the question: on one of its aspects, else the first mention of its
 * topics, problems or services.
 */
function candidate(
  review: Review,
  evidence: FaqEntry['evidence'],
  labels: PerReview,
): Quotable | undefined {
  const said = clearestAspect(
    evidence,
    labels.aspects.filter(({ quote }) => quote !== null),
  );
  if (said) return quotables(review, [said])[0];
  const passage = labels.passages.find(({ kind, id }) => evidence[kind].includes(id));
  if (passage) {
    const { text, sentiment } = passage;
    return { review, text, sentiment, clarity: 0, aspects: 1 };
  }
  return undefined;
}
