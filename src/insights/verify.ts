import { percentageOrNull } from '../dataset/round.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import type { Entity, InsightsDataset, PerReview, Sentiment } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';

type Kind = 'technicians' | 'services' | 'problems' | 'service_areas';
const KINDS: readonly Kind[] = ['technicians', 'services', 'problems', 'service_areas'];

/**
 * Recounts insights.json from its `per_review` and from reviews.json: counts, shares, ids, and
 * every quote and phrase as a verbatim piece of a published review. Needs nothing but the two
 * published files.
 *
 * @returns a sentence for each difference
 */
export function verifyInsights(dataset: ReviewsDataset, insights: InsightsDataset): string[] {
  const check = new Check(dataset, insights);
  check.whole();
  check.perReview();
  check.aspects();
  check.entities();
  check.topics();
  check.months();
  check.quotes();
  return check.faults;
}

class Check {
  readonly faults: string[] = [];
  readonly #dataset: ReviewsDataset;
  readonly #insights: InsightsDataset;
  readonly #reviews: ReadonlyMap<string, Review>;
  readonly #labels: readonly [string, PerReview][];
  #allWords: string | undefined;

  constructor(dataset: ReviewsDataset, insights: InsightsDataset) {
    this.#dataset = dataset;
    this.#insights = insights;
    this.#reviews = new Map(dataset.reviews.map((review) => [review.id, review]));
    this.#labels = Object.entries(insights.per_review);
  }

  whole(): void {
    const { reviews, edition } = this.#dataset;
    this.#equal('edition', this.#insights.edition, edition);
    this.#equal('review_count', this.#insights.review_count, reviews.length);
    this.#equal('per_review', this.#labels.length, reviews.length);
    const positive = reviews.filter(({ rating }) => rating >= 4).length;
    const share = percentageOrNull(positive, reviews.length) ?? 0;
    this.#equal(
      'overall_sentiment.positive_pct',
      this.#insights.overall_sentiment.positive_pct,
      share,
    );
  }

  perReview(): void {
    for (const [id, labels] of this.#labels) {
      const review = this.#reviews.get(id);
      if (!review) {
        this.faults.push(`per_review.${id}: no such review is published`);
        continue;
      }
      this.#equal(`per_review.${id}.technicians`, labels.technicians, review.mentions.technicians);
      this.#equal(`per_review.${id}.services`, labels.services, review.mentions.services);
      for (const { id: aspect, quote } of labels.aspects) {
        if (quote !== null) this.#verbatim(`per_review.${id}.aspects.${aspect}`, id, quote);
      }
    }
  }

  aspects(): void {
    for (const aspect of this.#insights.aspects) {
      const place = `aspects.${aspect.id}`;
      const said = this.#labels.flatMap(([, labels]) =>
        labels.aspects.filter(({ id }) => id === aspect.id).map(({ sentiment }) => sentiment),
      );
      this.#counts(place, aspect, said);
      const share = percentageOrNull(aspect.positive_count, aspect.mention_count);
      this.#equal(`${place}.positive_pct`, aspect.positive_pct, share);
      for (const { review_id, quote } of aspect.examples) this.#verbatim(place, review_id, quote);
      for (const phrase of [...aspect.top_phrases, ...aspect.negative_phrases]) {
        this.#somewhere(place, phrase);
      }
    }
  }

  entities(): void {
    for (const kind of KINDS) {
      for (const entity of this.#insights.entities[kind] as Entity[]) {
        const place = `entities.${kind}.${entity.id}`;
        const mentioning = this.#labels.filter(([, labels]) => labels[kind].includes(entity.id));
        this.#counts(
          place,
          entity,
          mentioning.map(([, { sentiment }]) => sentiment),
        );
        this.#equal(
          `${place}.review_ids`,
          entity.review_ids.toSorted(),
          mentioning.map(([id]) => id).toSorted(),
        );
      }
    }
  }

  topics(): void {
    for (const topic of this.#insights.topics) {
      const about = this.#labels.filter(([, { topics }]) => topics.includes(topic.id));
      this.#equal(`topics.${topic.id}.review_count`, topic.review_count, about.length);
      for (const phrase of topic.top_phrases) this.#somewhere(`topics.${topic.id}`, phrase);
      for (const id of topic.example_review_ids) this.#known(`topics.${topic.id}`, id);
    }
  }

  months(): void {
    for (const { month, review_count } of this.#insights.temporal.monthly) {
      const inMonth = this.#dataset.reviews.filter(({ date }) => date.startsWith(month)).length;
      this.#equal(`temporal.monthly.${month}`, review_count, inMonth);
    }
  }

  quotes(): void {
    for (const { id, evidence_count, evidence_review_ids, quotes } of this.#insights.faq) {
      this.#equal(`faq.${id}.evidence_count`, evidence_count, evidence_review_ids.length);
      for (const reviewId of evidence_review_ids) this.#known(`faq.${id}`, reviewId);
      for (const { review_id, text } of quotes) this.#verbatim(`faq.${id}`, review_id, text);
    }
    const quote = this.#insights.pull_quote;
    if (quote) this.#verbatim('pull_quote', quote.review_id, quote.text);
  }

  #counts(
    place: string,
    counted: Pick<Entity, 'mention_count' | 'positive_count' | 'neutral_count' | 'negative_count'>,
    said: readonly Sentiment[],
  ): void {
    const of = (sentiment: Sentiment) => said.filter((other) => other === sentiment).length;
    this.#equal(`${place}.mention_count`, counted.mention_count, said.length);
    this.#equal(`${place}.positive_count`, counted.positive_count, of('positive'));
    this.#equal(`${place}.neutral_count`, counted.neutral_count, of('neutral'));
    this.#equal(`${place}.negative_count`, counted.negative_count, of('negative'));
  }

  #equal(place: string, stated: unknown, counted: unknown): void {
    const [is, should] = [JSON.stringify(stated), JSON.stringify(counted)];
    if (is !== should) this.faults.push(`${place}: says ${is}, counted ${should}`);
  }

  #known(place: string, reviewId: string): void {
    if (!this.#reviews.has(reviewId)) this.faults.push(`${place}: no review ${reviewId}`);
  }

  #verbatim(place: string, reviewId: string, quote: string): void {
    const review = this.#reviews.get(reviewId);
    if (!review) this.faults.push(`${place}: no review ${reviewId}`);
    else if (!review.text?.includes(quote) && !review.title?.includes(quote)) {
      this.faults.push(`${place}: not a piece of ${reviewId}: ${JSON.stringify(quote)}`);
    }
  }

  #somewhere(place: string, phrase: string): void {
    this.#allWords ??= this.#dataset.reviews
      .map(({ title, text }) => `${title ?? ''}\n${text ?? ''}`)
      .join('\n');
    if (!this.#allWords.includes(phrase)) {
      this.faults.push(`${place}: no review says ${JSON.stringify(phrase)}`);
    }
  }
}
