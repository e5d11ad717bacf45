import type { FaqEntry } from '../schema/faq.ts';
import type { InsightsDataset, PerReview } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';

type Answer = InsightsDataset['faq'][number];

/** A question that fewer reviews speak to is left out. */
const MIN_EVIDENCE = 3;
const QUOTES = 4;

/** The questions of content/faq, each with every review that speaks to it, newest first. */
export function answerFaq(
  faq: readonly FaqEntry[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): Answer[] {
  return faq
    .map(({ id, question, answer, evidence }) => {
      const ids = reviews
        .map((review) => review.id)
        .filter((reviewId) => isEvidence(evidence, perReview[reviewId]!));
      return {
        id,
        question,
        answer,
        evidence_count: ids.length,
        evidence_review_ids: ids,
        quotes: quotes(evidence.aspects, ids, perReview),
      };
    })
    .filter(({ evidence_count }) => evidence_count >= MIN_EVIDENCE);
}

function isEvidence(evidence: FaqEntry['evidence'], labels: PerReview): boolean {
  return (
    labels.aspects.some(({ id }) => evidence.aspects.includes(id)) ||
    labels.topics.some((id) => evidence.topics.includes(id)) ||
    labels.services.some((id) => evidence.services.includes(id)) ||
    labels.problems.some((id) => evidence.problems.includes(id))
  );
}

/** What the newest reviews say about the aspects in question, one quote a review. */
function quotes(
  aspects: readonly string[],
  reviewIds: readonly string[],
  perReview: Readonly<Record<string, PerReview>>,
): Answer['quotes'] {
  const found: Answer['quotes'] = [];
  for (const id of reviewIds) {
    const label = perReview[id]!.aspects.find(
      ({ id: aspect, quote }) => quote !== null && aspects.includes(aspect),
    );
    if (label) found.push({ review_id: id, text: label.quote! });
    if (found.length === QUOTES) break;
  }
  return found;
}
