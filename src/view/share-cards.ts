import { computeRating } from '../dataset/aggregate.ts';
import {
  ARCHIVE_PATH,
  aspectPath,
  DEVELOPERS_PATH,
  FAQ_PATH,
  INSIGHTS_PAGE_PATH,
  METHOD_PATH,
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
import {
  opinionImage,
  ratingImage,
  reviewImage,
  SHARE_IMAGE,
  shareImage,
  type Brand,
} from './share-image.ts';
import { counted, dayName, monthName } from './wording.ts';

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

/** Pages with a card of the average rating under their title. */
const SECTIONS = [
  [ARCHIVE_PATH, 'All reviews'],
  [INSIGHTS_PAGE_PATH, 'What the reviews say'],
  [FAQ_PATH, 'Questions and answers'],
  [METHOD_PATH, 'Where the reviews come from'],
  [DEVELOPERS_PATH, 'For developers'],
] as const;

/** The content of the cards. */
interface Subject {
  dataset: ReviewsDataset;
  insights: InsightsDataset;
  /** The reviews of all months. */
  months: ReadonlyMap<string, readonly Review[]>;
  brand: Brand;
}

/**
 * Returns the cards of a site by the path of their page: of the site, its sections, aspects, people,
 * services and months.
 */
export function shareCards({ dataset, insights, months, brand }: Subject): Map<string, ShareCard> {
  const { name } = brand;
  const { aspects, entities } = insights;
  const ofEntities = (list: readonly Entity[], pathOf: (id: string) => string): Drawn[] =>
    mentioned(list).map(({ id, label, average_rating, mention_count }) => {
      const mention = mention_count === 1 ? 'mentions' : 'mention';
      const from = `${counted(mention_count, 'verified review')} that ${mention} this`;
      const svg = ratingImage(brand, label, average_rating!, from);
      return [pathOf(id), svg, `The average rating of reviews of ${name} that mention ${label}`];
    });
  const pages: Drawn[] = [
    ...mentioned(aspects).map((aspect): Drawn => {
      const { id, label, positive_count, neutral_count, negative_count } = aspect;
      const counts = { positive: positive_count, neutral: neutral_count, negative: negative_count };
      const alt = `How many opinions on ${label} in reviews of ${name} are positive`;
      return [aspectPath(id), opinionImage(brand, label, counts), alt];
    }),
    ...ofEntities(entities.technicians, technicianPath),
    ...ofEntities(entities.services, servicePath),
    ...[...months].map(([month, inMonth]): Drawn => {
      const { rating_value, review_count } = computeRating(inMonth);
      const label = monthName(month);
      const from = counted(review_count, 'verified review');
      const svg = ratingImage(brand, label, rating_value!, from);
      return [monthPath(month), svg, `The average rating of ${name} in ${label}`];
    }),
  ];
  const { rating_value: average, review_count: count } = dataset.aggregate_rating;
  if (average !== null) {
    const from = counted(count, 'verified review');
    for (const [path, title] of SECTIONS) {
      const alt = `The average rating of ${name}, above it: ${title}`;
      pages.push([path, ratingImage(brand, title, average, from), alt]);
    }
  }
  return new Map([
    ['/', { ...sitePicture(name), svg: shareImage(brand, dataset.aggregate_rating) }],
    ...pages.map(
      ([page, svg, alt]) => [page, { path: shareCardPath(page), svg, alt, ...CARD }] as const,
    ),
  ]);
}

function mentioned<T extends { mention_count: number }>(list: readonly T[]): T[] {
  return list.filter(({ mention_count }) => mention_count > 0);
}

/** Returns the card of a page: its own, or that of the nearest page above it that has one. */
export function nearestCard(cards: ReadonlyMap<string, ShareCard>, path: string): ShareCard {
  return cards.get(path) ?? nearestCard(cards, path.replace(/[^/]+\/?$/, ''));
}

/** Returns the card of a review whose page is a file. */
export function reviewCard(brand: Brand, review: Review): ShareCard {
  return { ...reviewPicture(review), svg: reviewImage(brand, review) };
}

/** Returns the card of a review that has one. */
export function reviewPicture({ author, date, id, rating }: Review): SharePicture {
  const alt = `${rating} of 5 stars, by ${author}, ${dayName(date)}`;
  return { path: shareCardPath(reviewPath(id)), alt, ...CARD };
}

type Drawn = [page: string, svg: string, alt: string];
