import { wordingOf, type Wording } from '../messages/wording.ts';
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
  words: Wording;
  updated: string;
  /** Newest first. */
  reviews: readonly Review[];
}

/** Returns the site's data for both feeds. */
export function feedSource({
  dataset,
  baseUrl,
  hub,
  language,
}: Pick<Source, 'dataset' | 'baseUrl' | 'hub' | 'language'>): FeedSource {
  const { name } = dataset.business;
  const words = wordingOf(language);
  return {
    title: words.t('page.reviews_of', { name }),
    description: words.t('feed.description', { name }),
    license: dataset.license,
    siteUrl: baseUrl,
    hub,
    words,
    updated: dataset.updated_at,
    reviews: dataset.reviews,
  };
}

/** Returns the permanent entry id, shared by both feeds; it survives date and domain changes. */
export function entryId(review: Review): string {
  return `urn:ulid:${review.id}`;
}

/** Returns the review as escaped HTML: its text, then the reply of the business. */
export function entryHtml(review: Review, { t }: Wording): string {
  const stars = t('stars.label', { rating: String(review.rating) });
  const paragraphs = [`<p>${stars}</p>`];
  if (review.text !== null) paragraphs.push(...toParagraphs(review.text));
  if (review.owner_reply !== null) {
    paragraphs.push(`<p><strong>${t('feed.answer')}</strong></p>`);
    paragraphs.push(...toParagraphs(review.owner_reply.text));
  }
  return paragraphs.join('');
}

/** Returns the review as plain text, for readers without HTML. */
export function entryText(review: Review, { t }: Wording): string {
  return review.text ?? t('feed.without_words', { rating: String(review.rating) });
}

const SUMMARY_LENGTH = 240;

/** Returns the beginning of the review, cut between words. */
export function entrySummary(review: Review, words: Wording): string {
  return beginningOf(entryText(review, words), SUMMARY_LENGTH);
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
