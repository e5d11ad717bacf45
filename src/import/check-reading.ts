import type { Reading } from './choose-reading.ts';
import type { Draft } from './draft.ts';
import { A_HANDFUL } from './guess-fields.ts';

interface Findings {
  /** Reasons why the columns must be wrong. */
  refusals: string[];
  /** Unusual findings that may still be right. */
  warnings: string[];
}

/** A share above which something is unusual. */
const MOST = 0.8;

/** Compares what was read from a table with what reviews are like. */
export function checkReading(drafts: readonly Draft[], { fields }: Reading): Findings {
  const refusals: string[] = [];
  const warnings: string[] = [];
  if (drafts.length > A_HANDFUL) {
    const { author: [author] = [], rating: [rating] = [] } = fields;
    if (author !== undefined && shareOfOne(drafts, 'author') === 1) {
      refusals.push(`all are by one author: ${author} may be of the place`);
    }
    if (shareOfOne(drafts, 'rating') === 1) {
      refusals.push(`all have one rating: ${rating} may be of the place`);
    }
    const withoutText = drafts.filter(({ text }) => text === undefined).length;
    if (withoutText > drafts.length * MOST) {
      warnings.push(`${withoutText} of ${drafts.length} reviews have no text`);
    }
    if (shareOfOne(drafts, 'date') > MOST) {
      warnings.push('most reviews have one date: it may be that of the export');
    }
  }
  if (isDateOfReply(drafts) && fields.reply_date) {
    refusals.push(`each date is that of the reply: ${fields.date?.[0]} may be of the reply`);
  }
  return { refusals, warnings };
}

/** Returns the share of the reviews with the most frequent value; those without any do not count. */
function shareOfOne(drafts: readonly Draft[], field: 'author' | 'rating' | 'date'): number {
  const known = drafts.filter((draft) => draft[field] !== undefined);
  const groups = Map.groupBy(known, (draft) => draft[field]);
  return Math.max(0, ...[...groups.values()].map(({ length }) => length)) / known.length;
}

function isDateOfReply(drafts: readonly Draft[]): boolean {
  const answered = drafts.filter(({ reply, cleaned }) => reply && cleaned.undatedReplies === 0);
  return answered.length > 2 && answered.every(({ date, reply }) => date === reply!.date);
}
