import type { PerReview, Sentiment } from '../schema/insights.ts';
import type { JournalEntry } from '../schema/journal.ts';
import { WITHDRAWAL_REASONS } from '../schema/journal.ts';
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

const IN_WORDS: Record<Sentiment, string> = {
  positive: 'praised',
  neutral: 'mentioned',
  negative: 'criticized',
};

/** Returns how a review speaks of an aspect, as a verb. */
export function verdictText(sentiment: Sentiment): string {
  return IN_WORDS[sentiment];
}

/**
 * Returns a change in words.
 *
 * @param earlier the change of the same review before it
 */
export function changeText(
  { change, reason, reply }: JournalEntry,
  earlier: JournalEntry | undefined,
): string {
  switch (change) {
    case 'added':
      return earlier ? 'Published again' : 'Published here';
    case 'edited':
      return 'Edited';
    case 'replied':
      if (reply === undefined) return 'Reply from the business removed';
      return earlier?.reply === undefined
        ? 'Reply from the business added'
        : 'Reply from the business changed';
    case 'withdrawn':
      return `Withdrawn: ${WITHDRAWAL_REASONS[reason ?? 'other']}`;
  }
}
