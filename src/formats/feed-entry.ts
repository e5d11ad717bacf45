import { oneLine } from '../schema/invisible.ts';
import type { Review } from '../schema/review.ts';

/** How many reviews both feeds carry (contract, section 8). */
export const FEED_LENGTH = 50;

/** What both feeds need to know about the site. */
export interface FeedSource {
  title: string;
  description: string;
  siteUrl: string;
  hubUrl: string;
  updated: string;
  /** Newest first. */
  reviews: readonly Review[];
}

/** The same in both feeds, and for good: it outlives a corrected date and a new domain. */
export function entryId(review: Review): string {
  return `urn:ulid:${review.id}`;
}

/** `★★★★☆ Great work by Grace`: the stars, then the title or who wrote it. */
export function entryTitle(review: Review): string {
  const starred = '★'.repeat(review.rating) + '☆'.repeat(5 - review.rating);
  return `${starred} ${review.title ?? `Review by ${review.author}`}`;
}

/** The review as escaped HTML: what it says, then what the business answered. */
export function entryHtml(review: Review): string {
  const paragraphs = [`<p>${review.rating} of 5 stars</p>`];
  if (review.text !== null) paragraphs.push(...toParagraphs(review.text));
  if (review.owner_reply !== null) {
    paragraphs.push('<p><strong>Answer from the business:</strong></p>');
    paragraphs.push(...toParagraphs(review.owner_reply.text));
  }
  return paragraphs.join('');
}

/** The review as plain text, for readers that show no HTML. */
export function entryText(review: Review): string {
  return review.text ?? `${review.rating} of 5 stars, without words.`;
}

const SUMMARY_LENGTH = 240;

/** How the review begins, for a list of many: cut between words. */
export function entrySummary(review: Review): string {
  const text = oneLine(entryText(review));
  if (text.length <= SUMMARY_LENGTH) return text;
  const cut = text.lastIndexOf(' ', SUMMARY_LENGTH);
  return `${text.slice(0, cut > 0 ? cut : SUMMARY_LENGTH).toWellFormed()}…`;
}

function toParagraphs(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`);
}

/** Escapes text for HTML; `>` too, so that no `]]>` can end a CDATA section. Not for attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Drops the characters that XML 1.0 (section 2.2) has no way to write. */
export function xmlSafe(text: string): string {
  return text.toWellFormed().replace(NOT_IN_XML, '');
}
