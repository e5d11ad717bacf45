import { beginningOf } from '../schema/invisible.ts';
import type { DataLicense } from '../schema/license.ts';
import type { Review } from '../schema/review.ts';
import type { Source } from './source.ts';

/** Number of reviews in both feeds (contract, section 8). */
export const FEED_LENGTH = 50;

/** The site's data for both feeds. */
export interface FeedSource {
  title: string;
  description: string;
  license: DataLicense;
  siteUrl: string;
  hub: string | null;
  updated: string;
  /** Newest first. */
  reviews: readonly Review[];
}

/** Returns the site's data for both feeds. */
export function feedSource({
  dataset,
  baseUrl,
  hub,
}: Pick<Source, 'dataset' | 'baseUrl' | 'hub'>): FeedSource {
  const { name } = dataset.business;
  return {
    title: `Reviews of ${name}`,
    description: `Customer reviews of ${name}, newest first.`,
    license: dataset.license,
    siteUrl: baseUrl,
    hub,
    updated: dataset.updated_at,
    reviews: dataset.reviews,
  };
}

/** Returns the permanent entry id, shared by both feeds; it survives date and domain changes. */
export function entryId(review: Review): string {
  return `urn:ulid:${review.id}`;
}

/** Returns the review as escaped HTML: its text, then the reply of the business. */
export function entryHtml(review: Review): string {
  const paragraphs = [`<p>${review.rating} of 5 stars</p>`];
  if (review.text !== null) paragraphs.push(...toParagraphs(review.text));
  if (review.owner_reply !== null) {
    paragraphs.push('<p><strong>Answer from the business:</strong></p>');
    paragraphs.push(...toParagraphs(review.owner_reply.text));
  }
  return paragraphs.join('');
}

/** Returns the review as plain text, for readers without HTML. */
export function entryText(review: Review): string {
  return review.text ?? `${review.rating} of 5 stars, without words.`;
}

const SUMMARY_LENGTH = 240;

/** Returns the beginning of the review, cut between words. */
export function entrySummary(review: Review): string {
  return beginningOf(entryText(review), SUMMARY_LENGTH);
}

function toParagraphs(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`);
}

/**
 * Escapes text for HTML, including `>` so that `]]>` cannot end a CDATA section. Not for
 * attributes.
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Drops characters that XML 1.0 (section 2.2) does not allow. */
export function xmlSafe(text: string): string {
  return text.toWellFormed().replace(NOT_IN_XML, '');
}
