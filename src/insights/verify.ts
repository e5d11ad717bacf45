import type { ReviewsDataset } from '../schema/dataset.ts';
import type { InsightsDataset, PerReview } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { round } from '../dataset/round.ts';
import { countInsights } from './aggregate/insights.ts';
import { polarity, starScore, starSentiment } from './analyze/polarity.ts';
import { contentHash, ENGINE } from './analyze/review-reader.ts';
import { tokenize } from './analyze/tokens.ts';
import type { Language } from './languages/language.ts';
import { knownLanguage } from './languages/languages.ts';

/**
 * Derives insights.json again from its `per_review` and from reviews.json, and compares every
 * member. The labels are taken as they are as far as they agree with the reviews: hashes, stars,
 * mentions, and every quote and phrase as a verbatim piece.
 *
 * @returns a sentence for each difference, with its path
 */
export function verifyInsights(dataset: ReviewsDataset, insights: InsightsDataset): string[] {
  const unknown = dataset.reviews.find(({ id }) => !insights.per_review[id]);
  if (unknown) return [`per_review.${unknown.id}: is missing`];
  const { aspects, entities, topics, faq, method } = insights;
  const ids = {
    aspects: new Set(aspects.map(({ id }) => id)),
    technicians: new Set(entities.technicians.map(({ id }) => id)),
    services: new Set(entities.services.map(({ id }) => id)),
    service_areas: new Set(entities.service_areas.map(({ id }) => id)),
    problems: new Set(entities.problems.map(({ id }) => id)),
    topics: new Set(topics.map(({ id }) => id)),
  };
  const derived = countInsights({
    dataset,
    labels: Object.fromEntries(
      dataset.reviews.map((review) => [
        review.id,
        agreeing(insights.per_review[review.id]!, review, ids),
      ]),
    ),
    catalog: { aspects, ...entities, topics },
    faq: faq.map((question) => ({
      ...question,
      answer: question.counted ? null : question.answer,
    })),
    summary: insights.summary_template,
    method,
  });
  return differences(insights, derived);
}

type Ids = Record<
  'aspects' | 'technicians' | 'services' | 'service_areas' | 'problems' | 'topics',
  ReadonlySet<string>
>;

/** Returns labels with everything corrected that contradicts the review or the label itself. */
function agreeing(labels: PerReview, review: Review, ids: Ids): PerReview {
  const isOwn = labels.source === ENGINE;
  const isVerbatim = (piece: string) =>
    review.title?.includes(piece) === true || review.text?.includes(piece) === true;
  const known = (list: 'service_areas' | 'problems' | 'topics') =>
    sorted(labels[list].filter((id) => ids[list].has(id)));
  const aspects = labels.aspects
    .filter(({ id }) => ids.aspects.has(id))
    .map((label) => ({
      ...label,
      sentiment: isOwn ? polarity(label.score) : label.sentiment,
      quote: label.quote !== null && isVerbatim(label.quote) ? label.quote : null,
    }));
  return {
    ...labels,
    content_hash: contentHash(review),
    sentiment: isOwn ? starSentiment(review.rating) : labels.sentiment,
    score: round(starScore(review.rating), 3),
    aspects: [...new Map(aspects.map((label) => [label.id, label])).values()],
    technicians: review.mentions.technicians.filter((id) => ids.technicians.has(id)),
    services: review.mentions.services.filter((id) => ids.services.has(id)),
    service_areas: known('service_areas'),
    problems: known('problems'),
    topics: known('topics'),
    passages: labels.passages.filter(
      ({ kind, id, text }) => (text === null || isVerbatim(text)) && labels[kind].includes(id),
    ),
    technician_opinions: labels.technician_opinions
      .filter(({ id }) => review.mentions.technicians.includes(id))
      .map((opinion) => ({
        ...opinion,
        sentiment: polarity(opinion.score),
        quote: opinion.quote !== null && isVerbatim(opinion.quote) ? opinion.quote : null,
        aspects: opinion.aspects.filter(({ id }) => ids.aspects.has(id)),
      })),
    phrases: labels.phrases.filter(
      ({ aspect, text, opinion, topics }) =>
        isVerbatim(text) &&
        hasWord(text, opinion.split(' ')[0]!, knownLanguage(review.language)) &&
        aspects.some(({ id }) => id === aspect) &&
        topics.every((id) => labels.topics.includes(id)),
    ),
  };
}

/** Tells whether a text has a word as the engine reads it: `didn’t` and `didn t` are `didn't`. */
function hasWord(text: string, word: string, language: Language | undefined): boolean {
  return tokenize(text, language).some(
    ({ lower, parts }) => lower === word || parts?.includes(word),
  );
}

function sorted(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

/** Returns a sentence for each place in which two values differ. */
export function differences(stated: unknown, derived: unknown, path = ''): string[] {
  if (Object.is(stated, derived)) return [];
  if (!isObject(stated) || !isObject(derived) || Array.isArray(stated) !== Array.isArray(derived)) {
    return [`${path || 'document'}: says ${inShort(stated)}, derived ${inShort(derived)}`];
  }
  return [...new Set([...Object.keys(stated), ...Object.keys(derived)])].flatMap((key) =>
    differences(stated[key], derived[key], path === '' ? key : `${path}.${nameOf(stated, key)}`),
  );
}

/** Returns the key of a member; an item of a list is named by its id, if it has one. */
function nameOf(parent: Record<string, unknown>, key: string): string {
  const child = parent[key];
  return Array.isArray(parent) && isObject(child) && typeof child.id === 'string' ? child.id : key;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const SHOWN = 120;

function inShort(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}
