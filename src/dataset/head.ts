import type { ReviewsDataset } from '../schema/dataset.ts';
import type { ReviewLines } from './document.ts';

/** reviews.json without its reviews. */
export type DatasetHead = Omit<ReviewsDataset, 'reviews'>;

/** What stands before the first review, without reading any. */
export function datasetHead({ bytes, starts }: ReviewLines): DatasetHead {
  const open = bytes.toString('utf8', 0, starts[0]);
  const { reviews: _, ...head } = JSON.parse(`${open}]}`) as ReviewsDataset;
  return head;
}
