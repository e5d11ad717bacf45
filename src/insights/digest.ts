import type { Entity, InsightsDataset } from '../schema/insights.ts';
import type { InsightsDigest } from '../schema/insights-digest.ts';
import type { Review } from '../schema/review.ts';

/**
 * Returns the insights without per-review data, with quotes that link to their reviews.
 *
 * @param reviews every review the insights were computed from
 */
export function digestInsights(
  insights: InsightsDataset,
  reviews: readonly Review[],
): InsightsDigest {
  const byId = new Map(reviews.map((review) => [review.id, review]));
  const cited = <T extends { review_id: string }>({ review_id, ...said }: T) => {
    const { url, rating, date, source, author } = byId.get(review_id)!;
    return { review_id, url, rating, date, source, author, ...said };
  };
  const {
    per_review: _,
    method: __,
    summary_template: ___,
    aspects,
    entities,
    faq,
    pull_quote,
    ...kept
  } = insights;
  return {
    ...kept,
    aspects: aspects.map((whole) => {
      const { example_review_ids: _, examples, ...aspect } = whole;
      return { ...aspect, examples: examples.map(cited) };
    }),
    entities: {
      technicians: entities.technicians.map(({ quotes, ...technician }) => ({
        ...withoutIds(technician),
        quotes: quotes.map(cited),
      })),
      services: entities.services.map(withoutIds),
      problems: entities.problems.map(withoutIds),
      service_areas: entities.service_areas.map(withoutIds),
    },
    faq: faq.map(({ id, question, answer, evidence_count, quotes }) => ({
      id,
      question,
      answer,
      evidence_count,
      quotes: quotes.map(cited),
    })),
    pull_quote: pull_quote && cited(pull_quote),
  };
}

function withoutIds<T extends Entity>(whole: T): Omit<T, 'review_ids'> {
  const { review_ids: _, ...entity } = whole;
  return entity;
}
