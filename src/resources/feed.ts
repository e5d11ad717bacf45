import { shiftDay, yearOf } from '../base/days.ts';
import type { Wording } from '../messages/wording.ts';
import { beginningOf } from '../schema/invisible.ts';
import { labeledText, passagesOf } from '../schema/review-parts.ts';
import type { Review } from '../schema/review.ts';
import type { Source } from './source.ts';

/** Number of reviews in both feeds (contract, section 8). */
const FEED_LENGTH = 50;

export type FeedSource = Pick<Source, 'dataset' | 'baseUrl' | 'hub' | 'language'>;

/** A feed of the newest reviews, or an archive: the reviews of some days, in both formats. */
export interface FeedPart {
  /** The first day of an archive, which names it; undefined for the feed. */
  from?: string;
  /** Newest first. */
  reviews: readonly Review[];
  /** Name of the archive before it; undefined for the oldest. */
  previous: string | undefined;
}

/** Returns the feed, as far as it is the same in both formats. */
export function newestPart(reviews: readonly Review[]): FeedPart {
  return { reviews: reviews.slice(0, FEED_LENGTH), previous: feedArchives(reviews)[0]?.from };
}

/**
 * Divides the reviews into archives, newest first (RFC 5005, section 4). An archive ends with its
 * year, or with the day on which it has as many reviews as a feed. Counted from the oldest review
 * of a year, this never depends on later days: their reviews change no archive, and a late review
 * changes only those of its year. Days that the feeds still have in full need no archive yet; the
 * newest archive overlaps the feeds, because their window moves with every review.
 *
 * @param reviews newest first
 */
export function feedArchives(reviews: readonly Review[]): Required<FeedPart>[] {
  const archives: Required<FeedPart>[] = [];
  let oldest = reviews.length - 1;
  let previous: string | undefined;
  while (oldest >= FEED_LENGTH) {
    const newest = newestOfArchive(reviews, oldest);
    const from = firstDay(reviews[oldest]!, reviews[oldest + 1]);
    archives.unshift({ from, reviews: reviews.slice(newest, oldest + 1), previous });
    previous = from;
    oldest = newest - 1;
  }
  return archives;
}

/** Returns the index of the last review that goes into an archive, given that of the first. */
function newestOfArchive(reviews: readonly Review[], oldest: number): number {
  let at = oldest;
  for (; at > 0; at--) {
    const { date } = reviews[at]!;
    const { date: next } = reviews[at - 1]!;
    if (yearOf(next) !== yearOf(date)) break;
    if (next !== date && oldest - at + 1 >= FEED_LENGTH) break;
  }
  return at;
}

/** Returns New Year's Day, or the day after the archive that ends within this year. */
function firstDay({ date }: Review, before: Review | undefined): string {
  const year = yearOf(date);
  return before && yearOf(before.date) === year ? shiftDay(before.date, 1) : `${year}-01-01`;
}

/** Returns the permanent entry id, shared by both feeds; it survives date and domain changes. */
export function entryId(review: Review): string {
  return `urn:ulid:${review.id}`;
}

/** Returns the stars, then the title or the author: `★★★★☆ Great work by Grace`. */
export function entryTitle({ author, rating, title }: Review, { t }: Wording): string {
  const starred = '★'.repeat(rating) + '☆'.repeat(5 - rating);
  return `${starred} ${title ?? t('review.by_name', { author })}`;
}

/** Returns the stars, and the rating as its platform gave it. */
function entryStars({ rating, score }: Review, { t }: Wording): string {
  const stars = t('stars.label', { rating: String(rating) });
  return score ? `${stars} (${t('score.given', score)})` : stars;
}

/** Returns the review as escaped HTML: its stars, its text, then the reply of the business. */
export function entryHtml(review: Review, words: Wording): string {
  const { t } = words;
  const paragraphs = [`<p>${entryStars(review, words)}</p>`];
  for (const { side, text } of passagesOf(review)) {
    if (side) paragraphs.push(`<p><strong>${t(`part.${side}`)}</strong></p>`);
    paragraphs.push(...toParagraphs(text));
  }
  if (review.owner_reply !== null) {
    paragraphs.push(`<p><strong>${t('feed.answer')}</strong></p>`);
    paragraphs.push(...toParagraphs(review.owner_reply.text));
  }
  return paragraphs.join('');
}

/** Returns the same as {@link entryHtml} as plain text. */
export function entryText(review: Review, words: Wording): string {
  const reply = review.owner_reply;
  return [
    entryStars(review, words),
    textOf(review, words),
    reply && `${words.t('feed.answer')}\n\n${reply.text}`,
  ]
    .filter((part) => part !== null)
    .join('\n\n');
}

function textOf(review: Review, { t }: Wording): string | null {
  return labeledText(review, { praise: t('part.praise'), criticism: t('part.criticism') });
}

const SUMMARY_LENGTH = 240;

/** Returns the beginning of the review, cut between words; of one without words its stars. */
export function entrySummary(review: Review, words: Wording): string {
  const stars = { rating: String(review.rating) };
  const text = textOf(review, words) ?? words.t('feed.without_words', stars);
  return beginningOf(text, SUMMARY_LENGTH);
}

function toParagraphs(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`);
}

/** Escapes text for HTML, including `>` so that `]]>` cannot end a CDATA section. Not for attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Drops characters that XML 1.0 (section 2.2) does not allow. */
export function xmlSafe(text: string): string {
  return text.toWellFormed().replace(NOT_IN_XML, '');
}
