import { join } from 'node:path';
import { pageSite } from '../dataset/document.ts';
import { reviewView, type ReviewView } from '../dataset/review-document.ts';
import { digestInsights } from '../insights/digest.ts';
import type { RenderPage } from '../page-renderer.ts';
import { reviewDocumentPath, reviewPath } from '../paths.ts';
import { reviewDocuments } from '../resources/review.ts';
import type { Publication } from './publication.ts';
import { putFile } from './put-file.ts';

/**
 * Bytes of the pages and documents of reviews that are files, before compression; the sidecar
 * computes the others with the same bytes. Each file costs an entry in edition.json too, so a file
 * for every review would make that document the largest of a site.
 */
const FILES_BYTES = 4 * 1024 * 1024;

/** Returns two functions of a review's position: one writes its document, the other gives its page what it shows. */
export function reviewPages(publication: Publication) {
  const { dataset, insights, lines } = publication;
  const labels = digestInsights(insights, dataset.reviews);
  const documentOf = reviewDocuments(publication);
  const viewOf = (position: number, document = documentOf(position)): ReviewView =>
    reviewView(lines, position, document, labels);
  return { documentOf, viewOf };
}

/**
 * Writes the pages and documents of the newest reviews, as far as the budget goes, with the code
 * that the sidecar renders the others with; those of all reviews, if there is no sidecar.
 *
 * @returns the number of these reviews
 */
export async function writeReviews(
  folder: string,
  publication: Publication,
  render: RenderPage,
): Promise<number> {
  const { dataset, sidecar } = publication;
  const site = pageSite(dataset, publication.baseUrl, publication.site);
  const { documentOf, viewOf } = reviewPages(publication);
  let written = 0;
  for (const [position, { id }] of dataset.reviews.entries()) {
    const document = documentOf(position);
    const review = viewOf(position, document);
    const page = await render(reviewPath(id), { review, site });
    written += page.length + Buffer.byteLength(document);
    if (sidecar && written > FILES_BYTES) return position;
    putFile(join(folder, reviewPath(id), 'index.html'), page);
    putFile(join(folder, reviewDocumentPath(id)), document);
  }
  return dataset.reviews.length;
}
