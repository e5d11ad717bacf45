import type { InsightsDataset } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { servicePath, technicianPath } from '../paths.ts';

/** How many reviews the page of an aspect, a technician or a service shows. */
export const NEWEST = 20;

/** Where something that a review mentions has its page. */
export interface MentionLink {
  label: string;
  href: string;
}

/**
 * Gives the links of what a review mentions. Technicians are people: a review that blames links
 * to none of them.
 */
export function mentionLinker({
  entities,
  per_review: labels,
}: Pick<InsightsDataset, 'entities' | 'per_review'>): (review: Review) => MentionLink[] {
  const toLabels = (list: readonly { id: string; label: string }[]) =>
    new Map(list.map(({ id, label }) => [id, label]));
  const technicians = toLabels(entities.technicians);
  const services = toLabels(entities.services);
  return ({ id, mentions }) => {
    const people = blames(labels, id) ? [] : mentions.technicians;
    return [
      ...people.map((id) => ({ label: technicians.get(id)!, href: technicianPath(id) })),
      ...mentions.services.map((id) => ({ label: services.get(id)!, href: servicePath(id) })),
    ];
  };
}

/** Whether a review as a whole was read as negative. */
export function blames(labels: InsightsDataset['per_review'], reviewId: string): boolean {
  return labels[reviewId]!.sentiment === 'negative';
}

/**
 * The newest reviews that speak of each aspect, in one pass.
 *
 * @param reviews newest first
 */
export function newestByAspect(
  reviews: readonly Review[],
  labels: InsightsDataset['per_review'],
): Map<string, Review[]> {
  const byAspect = new Map<string, Review[]>();
  for (const review of reviews) {
    for (const { id } of labels[review.id]!.aspects) {
      const list = byAspect.get(id);
      if (!list) byAspect.set(id, [review]);
      else if (list.length < NEWEST) list.push(review);
    }
  }
  return byAspect;
}
