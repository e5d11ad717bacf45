import type { InsightsDataset, Sentiment } from '../schema/insights.ts';
import type { LabelLine, ReviewLabels } from '../schema/labels.ts';
import { placeOfQuote } from '../schema/review-parts.ts';
import type { Review } from '../schema/review.ts';
import { SENTIMENTS } from '../schema/groups.ts';
import {
  documentHead,
  reviewJson,
  reviewLines,
  serializeByLine,
  type ReviewLines,
} from './document.ts';

/** The labels of one review, beside its mentions. */
export type Labels = ReturnType<LabelLines['read']>;

/**
 * Returns the text of review-labels.json, one review per line.
 *
 * @param reviews in the order of reviews.json
 */
export function serializeLabels(insights: InsightsDataset, reviews: readonly Review[]): string {
  const { edition, aspects, entities, topics, per_review: perReview } = insights;
  const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);
  const head = {
    edition,
    sentiments: [...SENTIMENTS],
    aspects: idsOf(aspects),
    service_areas: idsOf(entities.service_areas),
    problems: idsOf(entities.problems),
    topics: idsOf(topics),
    technicians: idsOf(entities.technicians),
  };
  const lines = reviews.map((review) => {
    const labels = perReview[review.id]!;
    const judged = labels.aspects.map(({ id: aspect, sentiment, quote }) => {
      const judgment = [head.aspects.indexOf(aspect), head.sentiments.indexOf(sentiment)] as const;
      const from = quote === null ? -1 : placeOfQuote(review, quote, sentiment);
      return from === -1 ? judgment : [...judgment, from, from + quote!.length];
    });
    return JSON.stringify([
      head.sentiments.indexOf(labels.sentiment),
      judged,
      labels.service_areas.map((area) => head.service_areas.indexOf(area)),
      labels.problems.map((problem) => head.problems.indexOf(problem)),
      labels.topics.map((topic) => head.topics.indexOf(topic)),
      labels.technician_opinions.map(({ id: person, sentiment }) => [
        head.technicians.indexOf(person),
        head.sentiments.indexOf(sentiment),
      ]),
    ]);
  });
  return serializeByLine(head, lines);
}

export class LabelLines {
  readonly #lines: ReviewLines;
  readonly #head: Omit<ReviewLabels, 'reviews'>;

  /** @param bytes of the text that {@link serializeLabels} returns */
  constructor(bytes: Uint8Array) {
    this.#lines = reviewLines(bytes);
    this.#head = documentHead(this.#lines);
  }

  /** @param position of the review in reviews.json */
  read(position: number) {
    const { sentiments, aspects, service_areas, problems, topics, technicians } = this.#head;
    const line = JSON.parse(reviewJson(this.#lines, position)) as LabelLine;
    const [overall, judged, areasAt, problemsAt, topicsAt, people = []] = line;
    return {
      sentiment: sentiments[overall] as Sentiment,
      aspects: judged.map(([aspect, sentiment, from, to]) => ({
        id: aspects[aspect]!,
        sentiment: sentiments[sentiment] as Sentiment,
        quote: from === undefined ? null : ([from, to!] as const),
      })),
      areas: areasAt.map((at) => service_areas[at]!),
      problems: problemsAt.map((at) => problems[at]!),
      topics: topicsAt.map((at) => topics[at]!),
      /** Opinions of people; none in editions of an earlier version. */
      people: people.map(([person, sentiment]) => ({
        id: technicians[person]!,
        sentiment: sentiments[sentiment] as Sentiment,
      })),
    };
  }
}
