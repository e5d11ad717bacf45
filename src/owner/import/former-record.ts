import { joinParts, labeledText } from '../../schema/review-parts.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import { starsOf } from '../../schema/score.ts';
import { digestOf } from './candidate.ts';

/** Labels that are words of the text in some imported records. */
const LABELS = { praise: 'Liked', criticism: 'Disliked' };
const LABELED = /^(?:Liked: ([^]+?))?(?:(?:^|\n\n)Disliked: ([^]+))?$/;

/** Returns the digest of a record that has labels in its text and no score. */
export function formerDigest(record: ReviewRecord): string {
  const text = labeledText(record, LABELS);
  return digestOf({ ...record, text, criticism_at: undefined, score: undefined });
}

/** Returns the words and stars that a person edited in such a record, with its parts and its score. */
export function withFormerEdits(edited: ReviewRecord, incoming: ReviewRecord): ReviewRecord {
  const { rating, title, owner_reply } = edited;
  const score = incoming.score && starsOf(incoming.score) === rating ? incoming.score : undefined;
  const hasLabels = incoming.criticism_at !== undefined && edited.text != null;
  const { text, criticism_at } = hasLabels ? withoutLabels(edited.text!) : edited;
  return { ...incoming, rating, title, owner_reply, score, text, criticism_at };
}

function withoutLabels(text: string): Pick<ReviewRecord, 'text' | 'criticism_at'> {
  const [, praise = '', criticism = ''] = LABELED.exec(text) ?? [];
  return praise + criticism === '' ? { text } : joinParts(praise, criticism);
}
