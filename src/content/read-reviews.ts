import { shiftDay } from '../dataset/since.ts';
import { isParted } from '../schema/review-parts.ts';
import { starsOf } from '../schema/score.ts';
import { reviewRecord, type ReviewRecord } from '../schema/review.ts';
import type { Line } from './parse.ts';
import type { Reader } from './reader.ts';
import {
  importRecord,
  tombstone,
  type ImportRecord,
  type Tombstone,
} from '../schema/provenance.ts';

/** No platform had reviews before; an older date is a typo. */
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

/** Reads `withdrawn.jsonl`, if there is one; no review may have the id of a tombstone. */
export async function readWithdrawn(
  reader: Reader,
  reviews: readonly ReviewRecord[],
): Promise<Tombstone[]> {
  const path = 'withdrawn.jsonl';
  const lines = await reader.jsonLines(path, tombstone, { optional: true });
  const used = new Set(reviews.map(({ id }) => id));
  for (const { line, value } of lines) {
    if (used.has(value.id)) {
      reader.issue(path, line, 'id', 'is also that of a review: delete one of the two', value.id);
    }
    used.add(value.id);
  }
  return lines.map(({ value }) => value);
}
