import { z } from 'zod';
import { PageQuotes, praisedAndCriticized } from '../../../src/dataset/highlights.ts';
import { singular, wordsIn } from '../../../src/search/tokens.ts';
import { saySummary } from '../../../src/search/say.ts';
import { business } from '../../../src/schema/business.ts';
import { aggregateRating, coverage } from '../../../src/schema/dataset.ts';
import {
  aspectDigest,
  faqDigest,
  insightsDigest,
  type InsightsDigest,
} from '../../../src/schema/insights-digest.ts';
import { temporal, type Sentiment } from '../../../src/schema/insights.ts';
import { count } from '../../../src/schema/primitives.ts';
import type { Edition } from '../../edition/edition.ts';
import { entriesOf, type EntryKind } from '../entries.ts';
import { defineTool, nameArgument, noArguments, ToolError } from './tool.ts';

export const getBusiness = defineTool({
  title: 'The business',
  description:
    'Use this when a question is about {business} itself: name, contact, address, hours, areas, aggregate rating ' +
    'with the distribution of stars, which reviews are covered, terms of use. null: not known. Not for what customers say: get_summary.',
  input: noArguments,
  output: z.strictObject({
    business,
    aggregate_rating: aggregateRating,
    coverage,
    terms: z.string(),
  }),
  isQuoteless: true,
  answer: (_, edition) => businessFacts(edition),
});

/** Returns the answer of `get_business` and of the resource `reviews://business`. */
export function businessFacts({ metadata }: Edition) {
  const { business, aggregate_rating, coverage, license } = metadata;
  return { business, aggregate_rating, coverage, terms: license.terms };
}

/** Questions that are shown to a query that fits none. */
const SUGGESTED = 10;

export const getFaq = defineTool({
  title: 'Questions and answers',
  description:
    'Use this when somebody asks what customers often ask: questions with answers, the number of reviews behind each and quotes. ' +
    'With query those that have all its words; without it all. Not for other questions: search.',
  input: z.strictObject({
    query: nameArgument.optional().describe('Words, e.g. "weekend visit", or an id.'),
  }),
  output: z.strictObject({ faq: z.array(faqDigest) }),
  answer({ query }, { insights: { faq }, search }) {
    const asked = wordsIn(query ?? '').filter((word) => !search.words.language.small.has(word));
    const words = asked.map(singular);
    const known = faq.map((entry) => {
      const own = wordsIn(`${entry.question}\n${entry.answer}`);
      const has = (word: string) =>
        own.some((each) => singular(each) === word || (word.length > 3 && each.startsWith(word)));
      return { entry, shared: words.filter(has).length };
    });
    const found = known.filter(
      ({ entry, shared }) => entry.id === query || shared === words.length,
    );
    if (found.length > 0 || faq.length === 0) {
      return { faq: found.map(({ entry }) => entry) };
    }
    throw new ToolError({
      error: 'unknown_question',
      message:
        'No question has all these words; ask with an id, or search_reviews for what reviews say.',
      suggestions: known
        .sort((a, b) => b.shared - a.shared)
        .slice(0, SUGGESTED)
        .map(({ entry: { id, question } }) => ({ id, label: question })),
      known_ids: faq.map(({ id }) => id),
    });
  },
});

const highlight = aspectDigest
  .pick({ id: true, label: true, mention_count: true, positive_pct: true })
  .extend({ quotes: aspectDigest.shape.examples });
const ratingInBrief = aggregateRating.pick({ rating_value: true, distribution: true });
const trendInBrief = temporal.pick({ trend: true, recent: true, previous: true });

export const getSummary = defineTool({
  title: 'Summary of all reviews',
  description:
    'Use this when an overview of all reviews of {business} is asked for: rating with the distribution of stars, trend, what is praised and criticized most with quotes, ' +
    'editorial summary (or null), overall sentiment with its basis. say: a sentence to say aloud. Not for one subject: get_insight.',
  input: noArguments,
  output: insightsDigest
    .pick({
      summary: true,
      overall_sentiment: true,
      pull_quote: true,
      review_count: true,
      date_range: true,
      model: true,
      generated_at: true,
    })
    .extend({
      rating: ratingInBrief,
      trend: trendInBrief,
      say: z.string(),
      read_count: count.describe('Reviews whose words were read.'),
      praised: z.array(highlight),
      criticized: z.array(highlight),
    }),
  answer(_, { insights, metadata, search, manifest }) {
    const { summary, overall_sentiment, pull_quote, review_count, date_range, model } = insights;
    const { generated_at, temporal } = insights;
    const { rating_value, distribution } = metadata.aggregate_rating;
    const { trend, recent, previous } = temporal;
    return {
      say: saySummary(search, manifest.site?.language),
      rating: { rating_value, distribution },
      trend: { trend, recent, previous },
      ...highlights(insights),
      summary,
      overall_sentiment,
      read_count: insights.coverage.read_count,
      pull_quote,
      review_count,
      date_range,
      model,
      generated_at,
    };
  },
});

/** Returns the aspects that the card shows, with the same quotes. */
function highlights({ aspects }: InsightsDigest) {
  const { praised, criticized } = praisedAndCriticized(aspects);
  const shown = new PageQuotes();
  const withQuotes = (aspects: InsightsDigest['aspects'], side: Sentiment) =>
    aspects.map(({ id, label, mention_count, positive_pct, examples }) => {
      return { id, label, mention_count, positive_pct, quotes: shown.next(examples, side) };
    });
  return {
    praised: withQuotes(praised, 'positive'),
    criticized: withQuotes(criticized, 'negative'),
  };
}

const KINDS = {
  aspects: 'aspect',
  technicians: 'technician',
  services: 'service',
  problems: 'problem',
  service_areas: 'area',
  topics: 'topic',
  faq: 'faq',
} as const satisfies Record<string, EntryKind>;
/** Items that fit into an answer. */
const MAX_ITEMS = 500;
const KIND_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

const insight = z.strictObject({
  id: z.string(),
  label: z.string(),
  review_count: count,
  score: z.number().nullable().optional(),
  average_rating: z.number().nullable().optional(),
});

export const listInsights = defineTool({
  title: 'What insights there are',
  description:
    'Use this when ids or a ranking are needed: every aspect, {staff} (technicians), {service} (services), problem, service area, topic or FAQ entry, with id, label, number of reviews, ' +
    `score from -1 to 1 and average stars where known; most reviews first, at most ${MAX_ITEMS}. Filters and get_insight take these ids.`,
  input: z.strictObject({
    kind: z.enum(KIND_NAMES).describe('E.g. "aspects".'),
  }),
  output: z.strictObject({ kind: z.enum(KIND_NAMES), items: z.array(insight) }),
  isQuoteless: true,
  answer({ kind }, { insights }) {
    const items = entriesOf(KINDS[kind], insights)
      .map(({ id, label, reviews, value }) => ({
        id,
        label,
        review_count: reviews,
        ...('score' in value && { score: value.score }),
        ...('average_rating' in value && { average_rating: value.average_rating }),
      }))
      .sort((a, b) => b.review_count - a.review_count || (a.id < b.id ? -1 : 1))
      .slice(0, MAX_ITEMS);
    return { kind, items };
  },
});
