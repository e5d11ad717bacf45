import { z } from 'zod';
import {
  aspectDigest,
  entityDigest,
  technicianDigest,
  type EntityDigest,
} from '../../../src/schema/insights-digest.ts';
import { insightsTopic } from '../../../src/schema/insights.ts';
import { review } from '../../../src/schema/review.ts';
import type { SearchFilters } from '../../../src/schema/search.ts';
import { fold } from '../../../src/search/tokens.ts';
import type { Edition } from '../../edition/edition.ts';
import { jsonAnswer, reviewsAnswer, type EncodedResult } from '../encode.ts';
import { resolve, type Named } from './names.ts';
import { defineTool, nameArgument } from './tool.ts';

/**
 * Complete reviews are returned; `get_review` has their schema, and this one what a citation needs.
 */
const reviewInPart = review
  .pick({ id: true, rating: true, date: true, text: true, url: true })
  .loose();

/** Reviews returned with an entity. */
const RECENT = 5;

export const getAspectSentiment = defineTool({
  title: 'Sentiment about an aspect',
  description:
    'How customers speak of one aspect of the service, such as punctuality or price: how many reviews mention it, ' +
    'how many are positive, neutral, negative, score from -1 to 1, frequent phrases, and verbatim quotes with their review. ' +
    'list_insights with kind aspects names all. A null score means that no review mentions it.',
  input: z.strictObject({ aspect: nameArgument.describe('Id or label of an aspect.') }),
  output: z.strictObject({ aspect: aspectDigest }),
  answer({ aspect }, { insights }) {
    const found = resolve('aspect', aspect, insights.aspects.map(labelled));
    return 'entry' in found ? jsonAnswer({ aspect: found.entry.value }) : found.error;
  },
});

export const getTechnician = defineTool({
  title: 'A technician in reviews',
  description:
    'What reviews say of one technician: mentions by sentiment, score from -1 to 1, average stars, aspects praised or blamed, ' +
    `and the ${RECENT} newest reviews that name them, newest first. Names, nicknames and usual misspellings are understood. ` +
    'More by search_reviews with mentions_technician. Empty recent_reviews means that no review names them.',
  input: z.strictObject({ name: nameArgument.describe('Name, alias or id of a technician.') }),
  output: z.strictObject({ technician: technicianDigest, recent_reviews: z.array(reviewInPart) }),
  answer({ name }, edition) {
    const { insights, manifest } = edition;
    const named = withNames(insights.entities.technicians, manifest.names.technicians);
    const found = resolve('technician', name, named);
    if ('error' in found) return found.error;
    const { id, value } = found.entry;
    return withReviews('technician', value, edition, { mentions_technician: id });
  },
});

export const getService = defineTool({
  title: 'A service in reviews',
  description:
    'What reviews say of one service the business offers: mentions by sentiment, score from -1 to 1, average stars, ' +
    `and the ${RECENT} newest reviews that name it, newest first. More by search_reviews with mentions_service. ` +
    'Empty recent_reviews means that no review names it.',
  input: z.strictObject({ service: nameArgument.describe('Id or label of a service.') }),
  output: z.strictObject({ service: entityDigest, recent_reviews: z.array(reviewInPart) }),
  answer({ service }, edition) {
    const found = findService(service, edition);
    if ('error' in found) return found.error;
    const { id, value } = found.entry;
    return withReviews('service', value, edition, { mentions_service: id });
  },
});

export const getTopic = defineTool({
  title: 'A topic of reviews',
  description:
    'One topic that reviews return to: how many and what share of the reviews, average stars, frequent phrases, ' +
    'the aspects it touches, and example reviews. list_insights with kind topics names all.',
  input: z.strictObject({ topic: nameArgument.describe('Id or label of a topic.') }),
  output: z.strictObject({
    topic: insightsTopic.omit({ example_review_ids: true }),
    example_reviews: z.array(reviewInPart),
  }),
  answer({ topic }, { insights, ids, search }) {
    const found = resolve('topic', topic, insights.topics.map(labelled));
    if ('error' in found) return found.error;
    const { example_review_ids, ...rest } = found.entry.value;
    const positions = example_review_ids.map((id) => ids.positionOf(id)!);
    return reviewsAnswer({ topic: rest }, 'example_reviews', search.lines, positions);
  },
});

/** Finds a service by its id or a name. */
export function findService(name: string, { insights, manifest }: Edition) {
  return resolve('service', name, withNames(insights.entities.services, manifest.names.services));
}

/** Returns the ids of services whose id or label contains a text. */
export function servicesLike(text: string, { insights }: Edition): string[] {
  const wanted = fold(text);
  return insights.entities.services
    .filter(({ id, label }) => id.includes(wanted) || fold(label).includes(wanted))
    .map(({ id }) => id);
}

type Entry<T> = Named & { value: T };

function labelled<T extends { id: string; label: string }>(value: T): Entry<T> {
  return { id: value.id, label: value.label, names: [], value };
}

function withNames<T extends EntityDigest>(
  entities: readonly T[],
  names: readonly { id: string; names: string[] }[],
): Entry<T>[] {
  const namesById = new Map(names.map(({ id, names }) => [id, names]));
  return entities.map((value) => ({ ...labelled(value), names: namesById.get(value.id) ?? [] }));
}

/** Returns an entity with the newest reviews that mention it. */
function withReviews(
  kind: string,
  entity: EntityDigest,
  { search }: Edition,
  mention: Partial<SearchFilters>,
): EncodedResult {
  const { positions } = search.search({ ...mention, limit: RECENT });
  return reviewsAnswer({ [kind]: entity }, 'recent_reviews', search.lines, positions);
}
