import { z } from 'zod';
import {
  aspectDigest,
  entityDigest,
  technicianDigest,
} from '../../../src/schema/insights-digest.ts';
import { insightsTopic } from '../../../src/schema/insights.ts';
import type { SearchFilters } from '../../../src/schema/search.ts';
import type { Edition } from '../../edition/edition.ts';
import { defineTool, nameArgument, resolve, reviewInPart, withReviews } from './tool.ts';

/** Reviews returned with an entity. */
const RECENT = 5;

export const getAspectSentiment = defineTool({
  title: 'Sentiment about an aspect',
  description:
    'How customers speak of one aspect, such as punctuality or price: how many mention it, ' +
    'positive, neutral, negative, score from -1 to 1 (null: no review), frequent phrases, and quotes, praise first, most typical first. ' +
    'list_insights with kind aspects names all.',
  input: z.strictObject({ aspect: nameArgument.describe('Id or label of an aspect.') }),
  output: z.strictObject({ aspect: aspectDigest }),
  answer({ aspect }, edition) {
    return { aspect: resolve('aspect', aspect, edition.insights.aspects, edition) };
  },
});

export const getTechnician = defineTool({
  title: 'One {staff} in reviews',
  description:
    'What reviews say of one {staff}: opinions of the person alone (stars are of visits), score from -1 to 1, quotes (most typical first), ' +
    `and the ${RECENT} newest reviews that name them. ` +
    'More by search_reviews with mentions_technician.',
  input: z.strictObject({ name: nameArgument.describe('Name, nickname or id.') }),
  output: z.strictObject({ technician: technicianDigest, recent_reviews: z.array(reviewInPart) }),
  answer({ name }, edition) {
    const technician = resolve('technician', name, edition.insights.entities.technicians, edition);
    return withRecent({ technician }, edition, { mentions_technician: technician.id });
  },
});

export const getService = defineTool({
  title: 'One {service} in reviews',
  description:
    'What reviews say of one {service} of the business: mentions by sentiment, score from -1 to 1, average stars, ' +
    `and the ${RECENT} newest reviews that name it. More by search_reviews with mentions_service.`,
  input: z.strictObject({ service: nameArgument.describe('Id or label of a service.') }),
  output: z.strictObject({ service: entityDigest, recent_reviews: z.array(reviewInPart) }),
  answer({ service: name }, edition) {
    const service = resolve('service', name, edition.insights.entities.services, edition);
    return withRecent({ service }, edition, { mentions_service: service.id });
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
  answer({ topic }, edition) {
    const { insights, ids, search } = edition;
    const { example_review_ids, ...rest } = resolve('topic', topic, insights.topics, edition);
    const positions = example_review_ids.map((id) => ids.positionOf(id)!);
    return withReviews({ topic: rest }, 'example_reviews', search.lines, positions);
  },
});

function withRecent(answer: object, { search }: Edition, mention: Partial<SearchFilters>): object {
  const { positions } = search.search({ ...mention, limit: RECENT });
  return withReviews(answer, 'recent_reviews', search.lines, positions);
}
