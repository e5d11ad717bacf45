import { shiftDay } from '../base/days.ts';
import { isParted } from '../schema/review-parts.ts';
import { starsOf } from '../schema/score.ts';
import type { JournalEntry } from '../schema/journal.ts';
import { MAX_ATTRIBUTES, reviewRecord, type ReviewRecord } from '../schema/review.ts';
import type { Line } from './parse.ts';
import type { Reader } from './reader.ts';
import {
  importRecord,
  tombstone,
  type ImportRecord,
  type Tombstone,
} from '../schema/provenance.ts';

/** No platform had reviews before this day; an older date is a typo. */
const EARLIEST = '1995-01-01';

export interface PlacedReview extends Line<ReviewRecord> {
  /** Path inside the dataset. */
  file: string;
}

/**
 * Reads every line of `reviews/*.jsonl` and reports what only shows between records.
 *
 * @param today no review may be dated later; its day may have begun elsewhere, so one day is allowed
 */
export async function readReviewFiles(
  reader: Reader,
  today: string | undefined,
): Promise<PlacedReview[]> {
  const reviews: PlacedReview[] = [];
  const firstPlace = new Map<string, string>();
  const latest = today === undefined ? undefined : shiftDay(today, 1);
  const attributes = new Set<string>();
  let isCrowded = false;
  const names = await reader.list('reviews');
  for (const name of names ?? []) {
    if (name.startsWith('.')) continue;
    if (!name.endsWith('.jsonl')) {
      reader.issue(`reviews/${name}`, 0, '', 'is not a .jsonl file, so its reviews would be lost');
      continue;
    }
    const path = `reviews/${name}`;
    const found = reader.issues.length;
    const lines = await reader.jsonLines(path, reviewRecord);
    const isEmpty = lines.length === 0 && reader.issues.length === found;
    if (isEmpty) reader.warn(path, '', 'has no reviews');
    for (const { line, text, value } of lines) {
      const place = `${reader.shown(path)}:${line}`;
      const first = firstPlace.get(value.id);
      if (first) reader.issue(path, line, 'id', `is already used at ${first}`, value.id);
      else firstPlace.set(value.id, place);
      const reply = value.owner_reply?.date;
      if (reply != null && reply < value.date && value.updated_at === undefined) {
        const reason = `is before the review (${value.date}): correct it, or give an edited review its updated_at`;
        reader.issue(path, line, 'owner_reply.date', reason, reply);
      }
      if (value.criticism_at !== undefined && !isParted(value)) {
        const reason =
          'must be 0, the length of the text, or where a paragraph of it begins: correct it, or leave it out';
        reader.issue(path, line, 'criticism_at', reason, value.criticism_at);
      }
      if (value.score && starsOf(value.score) !== value.rating) {
        const { value: given, best } = value.score;
        const reason = `is not ${given} of ${best} in stars (${starsOf(value.score)}): correct one of the two`;
        reader.issue(path, line, 'rating', reason, value.rating);
      }
      if (value.date < EARLIEST) reader.issue(path, line, 'date', 'is before 1995', value.date);
      if (latest !== undefined && value.date > latest) {
        reader.issue(path, line, 'date', `is after today (${today})`, value.date);
      }
      for (const [name, of] of Object.entries(value.attributes ?? {})) {
        attributes.add(`${name}: ${of}`);
        if (attributes.size <= MAX_ATTRIBUTES || isCrowded) continue;
        isCrowded = true;
        const reason = `is one more than the ${MAX_ATTRIBUTES} different ones that there may be: leave out what few reviews share`;
        reader.issue(path, line, `attributes.${name}`, reason, of);
      }
      reviews.push({ file: path, line, text, value });
    }
  }
  return reviews;
}

/** Reads `imports.jsonl`, which only exists after an import. */
export async function readImports(reader: Reader): Promise<ImportRecord[]> {
  const lines = await reader.jsonLines('imports.jsonl', importRecord, { optional: true });
  return lines.map(({ value }) => value);
}

/**
 * Reads `withdrawn.jsonl`, if there is one. No review may have the id of a tombstone, and each review
 * that the journal withdrew must have one, because nothing else keeps it out of imports.
 *
 * @param journal the entries of the journal, oldest first
 */
export async function readWithdrawn(
  reader: Reader,
  reviews: readonly ReviewRecord[],
  journal: readonly JournalEntry[],
): Promise<{ withdrawn: Tombstone[]; restored: Tombstone[] }> {
  const lines = await reader.jsonLines(WITHDRAWN, tombstone, { optional: true });
  const buried = lines.filter(({ value }) => value.restored_at === undefined);
  const used = new Set(reviews.map(({ id }) => id));
  for (const { line, value } of buried) {
    if (used.has(value.id)) {
      reader.issue(
        WITHDRAWN,
        line,
        'id',
        'is also that of a review: delete one of the two',
        value.id,
      );
    }
    used.add(value.id);
  }
  const restored = lines.filter((line) => !buried.includes(line)).map(({ value }) => value);
  for (const { id } of restored) used.add(id);
  reportLost(reader, used, journal);
  return { withdrawn: buried.map(({ value }) => value), restored };
}

const WITHDRAWN = 'withdrawn.jsonl';

function reportLost(
  reader: Reader,
  there: ReadonlySet<string>,
  journal: readonly JournalEntry[],
): void {
  const last = new Map(journal.map((entry) => [entry.id, entry]));
  for (const { seq, id, date, at, change, reason } of last.values()) {
    if (change !== 'withdrawn' || reason === 'unverified' || there.has(id)) continue;
    const line = JSON.stringify({ id, date, withdrawn_at: at, reason });
    reader.issue(
      WITHDRAWN,
      0,
      '',
      `has no tombstone of the review that entry ${seq} of the journal withdrew, so that an import could ` +
        `bring it back: restore the file, or add ${line}`,
    );
  }
}
