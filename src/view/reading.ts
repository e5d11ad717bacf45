import type { PerReview, Sentiment } from '../schema/insights.ts';
import type { JournalEntry } from '../schema/journal.ts';
import type { Wording } from '../messages/wording.ts';
import type { Piece } from './matches.ts';

/** A piece of a review, with the side of the opinion that it was read as. */
export interface ReadPiece extends Piece {
  sentiment?: Sentiment;
}

/** Order of opinions on the same words: the first one is marked. */
const STRONGEST: readonly Sentiment[] = ['negative', 'positive', 'neutral'];

/**
 * Splits a text at the quotes of a reading. Joined, the pieces are the text; of quotes that overlap,
 * the first is marked.
 */
export function findQuotes(text: string, { aspects }: Pick<PerReview, 'aspects'>): ReadPiece[] {
  const quoted = aspects
    .flatMap(({ quote, sentiment }) => (quote === null ? [] : [{ quote, sentiment }]))
    .map(({ quote, sentiment }) => ({ quote, sentiment, at: text.indexOf(quote) }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        b.quote.length - a.quote.length ||
        STRONGEST.indexOf(a.sentiment) - STRONGEST.indexOf(b.sentiment),
    );
  const pieces: ReadPiece[] = [];
  let done = 0;
  for (const { quote, sentiment, at } of quoted) {
    if (at < done) continue;
    if (at > done) pieces.push({ text: text.slice(done, at), matched: false });
    pieces.push({ text: quote, matched: true, sentiment });
    done = at + quote.length;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), matched: false });
  return pieces;
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
