import { HUB_PATH } from '../paths.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import type { FeedSource } from './feed-entry.ts';

/** Returns the site's data for both feeds. */
export function feedSource(dataset: ReviewsDataset, baseUrl: string): FeedSource {
  const { name } = dataset.business;
  return {
    title: `Reviews of ${name}`,
    description: `The newest verified customer reviews of ${name}.`,
    siteUrl: baseUrl,
    hubUrl: baseUrl + HUB_PATH,
    updated: dataset.updated_at,
    reviews: dataset.reviews,
  };
}
