import type { Candidate } from './candidate.ts';
import type { Reading } from './choose-reading.ts';

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
export function checkReading(candidates: readonly Candidate[], { fields }: Reading): Findings {
  const records = candidates.map(({ record }) => record);
  const refusals: string[] = [];
  const warnings: string[] = [];
  if (records.length > A_HANDFUL) {
    const { author: [author] = [], rating: [rating] = [] } = fields;
    if (author !== undefined && shareOfOne(candidates.map(({ author }) => author)) === 1) {
      refusals.push(`all are by one author: ${author} may be of the place`);
    }
    if (shareOfOne(records.map(({ rating }) => rating)) === 1) {
      refusals.push(`all have one rating: ${rating} may be of the place`);
    }
    const withoutText = records.filter(({ text }) => text === undefined).length;
    if (withoutText > records.length * MOST) {
      warnings.push(`${withoutText} of ${records.length} reviews have no text`);
    }
    if (shareOfOne(records.map(({ date }) => date)) > MOST) {
      warnings.push('most reviews have one date: it may be that of the export');
    }
  }
  if (isDateOfReply(candidates) && fields.reply_date) {
    refusals.push(`each date is that of the reply: ${fields.date?.[0]} may be of the reply`);
  }
  return { refusals, warnings };
}

/** Returns the share of the most frequent value among those there are. */
function shareOfOne(values: readonly unknown[]): number {
  const known = values.filter((value) => value !== undefined);
  const groups = Map.groupBy(known, (value) => value);
  return Math.max(0, ...[...groups.values()].map(({ length }) => length)) / known.length;
}

function isDateOfReply(candidates: readonly Candidate[]): boolean {
  const answered = candidates.filter(
    ({ record, cleaned }) => record.owner_reply && cleaned.undatedReplies === 0,
  );
  return (
    answered.length > 2 && answered.every(({ record }) => record.date === record.owner_reply!.date)
  );
}
