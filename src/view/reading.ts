import type { PerReview, Sentiment } from '../schema/insights.ts';
import type { JournalEntry } from '../schema/journal.ts';
import { placeOfQuote } from '../schema/review-parts.ts';
import type { Review } from '../schema/review.ts';
import type { Wording } from '../messages/wording.ts';
import type { Mark } from './matches.ts';

/** Order of opinions on the same words: the first one is marked. */
const STRONGEST: readonly Sentiment[] = ['negative', 'positive', 'neutral'];

/** Returns where the text of a review has the quotes of its reading, the strongest first. */
export function quoteMarks(
  review: Pick<Review, 'text' | 'criticism_at'>,
  { aspects }: Pick<PerReview, 'aspects'>,
): Mark[] {
  return STRONGEST.flatMap((side) =>
    aspects
      .filter(({ sentiment }) => sentiment === side)
      .flatMap(({ quote }): Mark[] => {
        const from = quote ? placeOfQuote(review, quote, side) : -1;
        return from === -1 ? [] : [[from, from + quote!.length, side]];
      }),
  );
}

/**
 * Returns a change in words.
 *
 * @param earlier the change of the same review before it
 */
export function changeText(
  { change, reason, reply }: JournalEntry,
  earlier: JournalEntry | undefined,
  { t }: Wording,
): string {
  switch (change) {
    case 'added':
      return earlier ? t('change.again') : t('change.added');
    case 'edited':
      return t('change.edited');
    case 'replied':
      if (reply === undefined) return t('change.reply_removed');
      return earlier?.reply === undefined ? t('change.reply_added') : t('change.reply_changed');
    case 'withdrawn':
      return t('change.withdrawn', { reason: t(`withdrawn.${reason ?? 'other'}`) });
  }
}
