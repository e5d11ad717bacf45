import { joinParts, partsOf } from '../schema/review-parts.ts';
import { ANONYMOUS, type ReviewRecord } from '../schema/review.ts';

/** Takes the place of a name in words that were written with it. */
const REMOVED = '[…]';
const MIN_LETTERS = 3;

/** Returns a pattern of the words of a name, together or alone; undefined of a name without any. */
export function nameIn(author: string): RegExp | undefined {
  if (author === ANONYMOUS) return undefined;
  const parts = author.split(/\s+/).filter((part) => /\p{L}/u.test(part));
  const words = [author, ...parts].filter(
    (part) => (part.match(/\p{L}/gu) ?? []).length >= MIN_LETTERS,
  );
  if (words.length === 0) return undefined;
  const any = [...new Set(words)].map(RegExp.escape).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'giu');
}

/** Returns the fields of a review that have a name in their words. */
export function fieldsWith(
  name: RegExp,
  { title, text, owner_reply: reply }: ReviewRecord,
): string[] {
  const words = { title, text, 'owner_reply.text': reply?.text };
  return Object.entries(words).flatMap(([field, value]) =>
    value != null && value.search(name) !== -1 ? [field] : [],
  );
}

/** Returns a review without a name in its words and its reply. */
export function withoutNameIn(name: RegExp, record: ReviewRecord): ReviewRecord {
  const { title, text, owner_reply: reply } = record;
  const parts = partsOf(record);
  const clean = (words: string) => words.replaceAll(name, REMOVED);
  return {
    ...record,
    ...(title != null && { title: clean(title) }),
    ...(text != null && { text: clean(text) }),
    ...(parts && joinParts(clean(parts.praise), clean(parts.criticism))),
    ...(reply && { owner_reply: { ...reply, text: clean(reply.text) } }),
  };
}
