import type { InsightsDataset } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { servicePath, technicianPath } from '../paths.ts';

/** Number of reviews on the page of an aspect, a technician or a service. */
export const NEWEST = 20;
/** Number of links beside them; more would make the column longer than a screen. */
export const BESIDE = 24;

/** A link to the page of something a review mentions. */
export interface MentionLink {
  label: string;
  href: string;
}

interface Labelled {
  id: string;
  label: string;
}

/**
 * Returns a function that links the mentions of a review. Technicians are people, so a negative
 * review links to none.
 */
export function mentionLinker({
  entities,
  per_review: labels,
}: Pick<InsightsDataset, 'per_review'> & {
  entities: Record<'technicians' | 'services', readonly Labelled[]>;
}): (review: Review) => MentionLink[] {
  const toLabels = (list: readonly Labelled[]) => new Map(list.map(({ id, label }) => [id, label]));
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

/** Returns what reviews mention, most mentioned first. */
export function mostMentioned<T extends { mention_count: number }>(
  list: readonly T[],
  countOf = ({ mention_count }: T) => mention_count,
): T[] {
  return list.filter((one) => countOf(one) > 0).sort((a, b) => countOf(b) - countOf(a));
}

/** Returns links to the pages of what reviews mention, most mentioned first, with their numbers. */
export function mentionedLinks(
  list: readonly { id: string; label: string; mention_count: number }[],
  pathOf: (id: string) => string,
  limit: number,
): (MentionLink & { count: number })[] {
  return mostMentioned(list)
    .slice(0, limit)
    .map(({ id, label, mention_count: count }) => ({ href: pathOf(id), label, count }));
}

/** Tells if a review as a whole was read as negative. */
export function blames(labels: InsightsDataset['per_review'], reviewId: string): boolean {
  return labels[reviewId]!.sentiment === 'negative';
}

/**
 * Returns the newest reviews that mention each aspect, in one pass.
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
