import { computeRating } from '../dataset/aggregate.ts';
import {
  aspectPath,
  monthPath,
  reviewPath,
  servicePath,
  shareCardPath,
  SHARE_IMAGE_PATH,
  technicianPath,
} from '../paths.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import type { Entity, InsightsDataset } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { opinionImage, ratingImage, reviewImage, SHARE_IMAGE, shareImage } from './share-image.ts';
import { counted, dayName, monthName } from './words.ts';

/** The picture of a page in link previews. */
export interface SharePicture {
  /** Address of the PNG. */
  path: string;
  /** Its content in words. */
  alt: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** A picture that is to be drawn. */
export interface ShareCard extends SharePicture {
  svg: string;
}

/** Returns the picture of pages that have none of their own. */
export function sitePicture(name: string): SharePicture {
  return {
    path: SHARE_IMAGE_PATH,
    alt: `The average rating of ${name}, and how many reviews gave how many stars`,
    ...SHARE_IMAGE,
  };
}

/**
 * Size of the cards below the site's own: half, which takes a quarter of the time to draw and is the
 * least that large previews are shown for.
 */
const CARD = { width: SHARE_IMAGE.width / 2, height: SHARE_IMAGE.height / 2 } as const;

// A budget: a card takes some 25 ms of a processor when it is drawn first, and 15 KB of the edition.
const MOST_MONTHS = 12;
const MOST_PAGES = 60;
const MOST_REVIEWS = 40;

/**
 * Returns the cards of a site by the path of their page: of the site, of aspects, people, services
 * and the newest months, and of the newest reviews. All other pages show the card of the site.
 */
export function shareCards(
  { aggregate_rating, business, reviews }: ReviewsDataset,
  { aspects, entities }: InsightsDataset,
  months: ReadonlyMap<string, readonly Review[]>,
): Map<string, ShareCard> {
  const { name } = business;
  const ofEntities = (list: readonly Entity[], pathOf: (id: string) => string): Drawn[] =>
    list
      .filter(({ mention_count }) => mention_count > 0)
      .map(({ id, label, average_rating, mention_count }) => [
        pathOf(id),
        ratingImage(
          name,
          label,
          average_rating!,
          `${counted(mention_count, 'verified review')} that mention${mention_count === 1 ? 's' : ''} this`,
        ),
        `The average rating of reviews of ${name} that mention ${label}`,
      ]);
  const pages: Drawn[] = [
    ...aspects
      .filter(({ mention_count }) => mention_count > 0)
      .map(({ id, label, positive_count, neutral_count, negative_count }): Drawn => {
        const counts = {
          positive: positive_count,
          neutral: neutral_count,
          negative: negative_count,
        };
        const alt = `How many opinions on ${label} in reviews of ${name} are positive`;
        return [aspectPath(id), opinionImage(name, label, counts), alt];
      }),
    ...ofEntities(entities.technicians, technicianPath),
    ...ofEntities(entities.services, servicePath),
    ...[...months].slice(0, MOST_MONTHS).map(([month, inMonth]): Drawn => {
      const { rating_value, review_count } = computeRating(inMonth);
      const label = monthName(month);
      const from = counted(review_count, 'verified review');
      const svg = ratingImage(name, label, rating_value!, from);
      return [monthPath(month), svg, `The average rating of ${name} in ${label}`];
    }),
  ];
  const newest = reviews
    .slice(0, MOST_REVIEWS)
    .map((review): Drawn => [
      reviewPath(review.id),
      reviewImage(name, review),
      reviewPicture(review).alt,
    ]);
  return new Map([
    ['/', { ...sitePicture(name), svg: shareImage(name, aggregate_rating) }],
    ...[...pages.slice(0, MOST_PAGES), ...newest].map(
      ([page, svg, alt]) => [page, { path: shareCardPath(page), svg, alt, ...CARD }] as const,
    ),
  ]);
}

/** Returns the card of a review that has one. */
export function reviewPicture({ author, date, id, rating }: Review): SharePicture {
  const alt = `${rating} of 5 stars, by ${author}, ${dayName(date)}`;
  return { path: shareCardPath(reviewPath(id)), alt, ...CARD };
}

type Drawn = [page: string, svg: string, alt: string];
