import { SHARE_IMAGE_PATH } from '../paths.ts';
import type { ReviewEmbed } from '../schema/review-document.ts';
import type { Review } from '../schema/review.ts';

/** Returns the stars, then the title or the author: `★★★★☆ Great work by Grace`. */
export function starredTitle({ rating, title, author }: Review): string {
  const starred = '★'.repeat(rating) + '☆'.repeat(5 - rating);
  return `${starred} ${title ?? `Review by ${author}`}`;
}

const EMBED_CACHE_SECONDS = 3600;

/**
 * Returns what a site shows for the link of a review: the type `link`, since a quotation has no
 * width and height of its own, which the type `rich` would have to state.
 */
export function reviewEmbed(review: Review, business: string, baseUrl: string): ReviewEmbed {
  return {
    version: '1.0',
    type: 'link',
    title: starredTitle(review),
    author_name: review.author,
    provider_name: `Reviews of ${business}`,
    provider_url: `${baseUrl}/`,
    cache_age: EMBED_CACHE_SECONDS,
    thumbnail_url: baseUrl + SHARE_IMAGE_PATH,
    thumbnail_width: 1200,
    thumbnail_height: 630,
  };
}
