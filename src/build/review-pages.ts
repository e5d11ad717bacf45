import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pageSite } from '../dataset/document.ts';
import { reviewView, type ReviewView } from '../dataset/review-document.ts';
import { digestInsights } from '../insights/digest.ts';
import type { RenderPage } from '../page-renderer.ts';
import { reviewDocumentPath, reviewPath } from '../paths.ts';
import { reviewDocuments } from '../resources/review.ts';
import type { Publication } from './publication.ts';

/**
 * Bytes of the pages and documents of reviews that are files, before compression; the sidecar
 * computes the others with the same bytes. Each file costs an entry in edition.json too, so a file
 * for every review would make that document the largest of a site.
 */
const FILES_BYTES = 4 * 1024 * 1024;

/** The document and the page of each review, as the sidecar computes them from the same edition. */
export class ReviewSource {
  readonly #publication: Publication;
  readonly #insights: ReviewView['insights'];
  /** Returns the text of `/reviews/{id}.json`. */
  readonly document: (position: number) => string;

  constructor(publication: Publication) {
    const { dataset, insights } = publication;
    this.#publication = publication;
    this.#insights = digestInsights(insights, dataset.reviews);
    this.document = reviewDocuments(publication);
  }

  /** Returns what the page of a review shows. */
  view(position: number, document = this.document(position)): ReviewView {
    return reviewView(this.#publication.lines, position, document, this.#insights);
  }
}

/**
 * Writes the pages and documents of the newest reviews, as far as the budget goes, with the code
 * that the sidecar renders the others with; those of all reviews, if there is no sidecar.
 *
 * @returns the ids of these reviews
 */
export async function writeReviews(
  folder: string,
  publication: Publication,
  render: RenderPage,
): Promise<string[]> {
  const { dataset, sidecar } = publication;
  const site = pageSite(dataset, publication.baseUrl, publication.site);
  const source = new ReviewSource(publication);
  const ids: string[] = [];
  let written = 0;
  for (const [position, { id }] of dataset.reviews.entries()) {
    const document = source.document(position);
    const review = source.view(position, document);
    const page = await render(reviewPath(id), { review, site });
    written += page.length + Buffer.byteLength(document);
    if (sidecar && written > FILES_BYTES) break;
    const file = join(folder, reviewPath(id), 'index.html');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, page);
    await writeFile(join(folder, reviewDocumentPath(id)), document);
    ids.push(id);
  }
  return ids;
}
