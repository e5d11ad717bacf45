import type { FaqEntry } from '../schema/faq.ts';
import type { InsightsDataset, PerReview } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';

/** The questions of content/faq, each with every review that speaks to it, newest first. */
export function answerFaq(
  faq: readonly FaqEntry[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): InsightsDataset['faq'] {
  return faq.map(({ id, question, answer, evidence }) => {
    const evidenceIds = reviews
      .filter((review) => isEvidence(evidence, perReview[review.id]!))
      .map((review) => review.id);
    return {
      id,
      question,
      answer,
      evidence_count: evidenceIds.length,
      evidence_review_ids: evidenceIds,
      quotes: [],
    };
  });
}

function isEvidence(evidence: FaqEntry['evidence'], labels: PerReview): boolean {
  return (
    labels.aspects.some(({ id }) => evidence.aspects.includes(id)) ||
    labels.topics.some((id) => evidence.topics.includes(id)) ||
    labels.services.some((id) => evidence.services.includes(id)) ||
    labels.problems.some((id) => evidence.problems.includes(id))
  );
}
