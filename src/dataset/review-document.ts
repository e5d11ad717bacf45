import type { InsightsDigest } from '../schema/insights-digest.ts';
import type { JournalEntry } from '../schema/journal.ts';
import type { ReviewDocument } from '../schema/review-document.ts';
import { readReview, reviewJson, type ReviewLines } from './document.ts';

/**
 * Returns the text of `/reviews/{id}.json`: bytes of reviews.json, insights.json and the documents
 * of the journal.
 *
 * @param reading as JSON
 * @param history changes of the review, newest first
 */
export function serializeReviewDocument(
  lines: ReviewLines,
  position: number,
  reading: string,
  history: readonly JournalEntry[],
): string {
  const changes = history.map((change) => `\n${JSON.stringify(change)}`).join();
  const review = reviewJson(lines, position);
  return `{"review":${review},\n"reading":${reading},\n"history":[${changes}\n]}\n`;
}

/** Everything that the page of a review shows: plain data, read where the reviews are. */
export type ReviewView = ReturnType<typeof reviewView>;

/**
 * @param document the text of `/reviews/{id}.json`
 * @param insights the labels of ids
 */
export function reviewView(
  lines: ReviewLines,
  position: number,
  document: string,
  insights: Pick<InsightsDigest, 'aspects' | 'entities' | 'topics'>,
) {
  const at = (other: number) =>
    other >= 0 && other < lines.count ? readReview(lines, other) : undefined;
  return {
    ...(JSON.parse(document) as ReviewDocument),
    review: at(position)!,
    /** The reviews beside this one in the list, newest first. */
    newer: at(position - 1),
    older: at(position + 1),
    insights,
  };
}
