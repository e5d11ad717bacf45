import type { Mentions, Review, ReviewRecord } from '../schema/review.ts';

/** `/reviews/2026-05/`: the page that carries a day's reviews. */
export function monthPath(date: string): string {
  return `/reviews/${date.slice(0, 7)}/`;
}

/**
 * The published form of a record. Left-out fields get their value here: language `en`,
 * `updated_at` the midnight of the newest day the record knows, everything else null.
 */
export function publishReview(record: ReviewRecord, mentions: Mentions, baseUrl: string): Review {
  return {
    id: record.id,
    author: record.author,
    author_avatar_url: record.author_avatar_url ?? null,
    rating: record.rating,
    date: record.date,
    title: record.title ?? null,
    text: record.text ?? null,
    language: record.language ?? 'en',
    source: record.source,
    source_url: record.source_url ?? null,
    owner_reply: record.owner_reply ?? null,
    verified: true,
    updated_at: record.updated_at ?? `${record.owner_reply?.date ?? record.date}T00:00:00Z`,
    url: `${baseUrl}${monthPath(record.date)}#${record.id}`,
    mentions,
  };
}
