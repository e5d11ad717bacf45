import { createHash } from 'node:crypto';
import type { Content } from './content/content.ts';
import { aggregateRating, coverage, exclusionReason } from './dataset/aggregate.ts';
import { reviewLines, serializeDataset, type ReviewLines } from './dataset/document.ts';
import { newestFirst } from './dataset/order.ts';
import { publishReview } from './dataset/publish-review.ts';
import { dayNumber } from './dataset/since.ts';
import { sinceWindow } from './dataset/since-window.ts';
import type { Manifest } from './edition/manifest.ts';
import { buildInsights, ENGINE_VERSION, readReviews } from './insights/insights.ts';
import { SCHEMA_VERSION, type ReviewsDataset } from './schema/dataset.ts';
import type { InsightsDataset } from './schema/insights.ts';
import type { Review } from './schema/review.ts';

/** Everything that pages and endpoints of one edition show; nothing else reads content/. */
export interface Publication {
  /** Origin of the site, without a slash at the end. */
  baseUrl: string;
  dataset: ReviewsDataset;
  insights: InsightsDataset;
  /** reviews.json as it is published, and where each review lies in it. */
  lines: ReviewLines;
  /** The days of the reviews as numbers (20260514), newest first. */
  days: number[];
  /** Days whose since listing is a file, newest first. */
  sinceDays: string[];
  /** Reviews by month (`YYYY-MM`), newest month first. */
  months: ReadonlyMap<string, Review[]>;
  names: Manifest['names'];
}

/** Turns checked content into what is published. Pure: the same content gives the same bytes. */
export function buildPublication(content: Content, baseUrl: string): Publication {
  const published = content.reviews
    .filter((record) => exclusionReason(record) === undefined)
    .sort(newestFirst);
  const readings = readReviews(published, content.vocabulary);
  const reviews = published.map((record) => {
    const { technicians, services } = readings.get(record.id)!.labels;
    return publishReview(record, { technicians, services }, baseUrl);
  });
  const left = coverage(content.reviews, reviews);
  const updatedAt = reviews.reduce(
    (newest, { updated_at }) => (updated_at > newest ? updated_at : newest),
    '1970-01-01T00:00:00Z',
  );
  const { $schema: _, ...business } = content.business;
  const edition = editionId(content, reviews, baseUrl);
  const dataset: ReviewsDataset = {
    schema_version: SCHEMA_VERSION,
    edition,
    updated_at: updatedAt,
    business: { ...business, reviews_url: `${baseUrl}/` },
    aggregate_rating: aggregateRating(reviews),
    coverage: left,
    reviews,
  };
  const { vocabulary, faq, summary } = content;
  const insights = buildInsights({ dataset, readings, vocabulary, faq, summary });
  const lines = reviewLines(Buffer.from(serializeDataset(dataset)));
  const days = reviews.map(({ date }) => dayNumber(date));
  const { technicians, services } = vocabulary;
  return {
    baseUrl,
    dataset,
    insights,
    lines,
    days,
    sinceDays: sinceWindow(lines, left.latest, days),
    months: byMonth(reviews),
    names: {
      technicians: technicians.map(({ id, name, aliases }) => ({ id, names: [name, ...aliases] })),
      services: services.map(({ id, label }) => ({ id, names: [label] })),
    },
  };
}

function editionId(content: Content, reviews: readonly Review[], baseUrl: string): string {
  const { business, vocabulary, faq, summary } = content;
  const hash = createHash('sha256');
  hash.update(
    JSON.stringify([SCHEMA_VERSION, ENGINE_VERSION, baseUrl, business, vocabulary, faq, summary]),
  );
  hash.update(String(content.reviews.length));
  for (const review of reviews) hash.update(JSON.stringify(review));
  return hash.digest('hex').slice(0, 16);
}

function byMonth(reviews: readonly Review[]): Map<string, Review[]> {
  const months = new Map<string, Review[]>();
  for (const review of reviews) {
    const month = review.date.slice(0, 7);
    const list = months.get(month);
    if (list) list.push(review);
    else months.set(month, [review]);
  }
  return months;
}

const SLOT = Symbol.for('reviews-service.publication');
const slot = globalThis as { [SLOT]?: Publication };

/** Hands the publication to the pages: the bundler gives them another copy of this module. */
export function setPublication(publication: Publication): void {
  slot[SLOT] = publication;
}

/** @throws when the integration that reads content/ did not run */
export function currentPublication(): Publication {
  const publication = slot[SLOT];
  if (!publication) throw new Error('no publication: src/integrations/edition.ts must run first');
  return publication;
}
