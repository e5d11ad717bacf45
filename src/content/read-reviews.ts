import { reviewRecord, type ReviewRecord } from '../schema/review.ts';
import type { Reader } from './reader.ts';
import { parseJsonLines } from './json-lines.ts';

/** Every line of `reviews/*.jsonl`, with the faults that only show between records. */
export async function readReviews(reader: Reader): Promise<ReviewRecord[]> {
  const reviews: ReviewRecord[] = [];
  const firstPlace = new Map<string, string>();
  const names = await reader.list('reviews');
  if (names?.length === 0) {
    reader.fault('reviews', 0, '', 'holds no review: add reviews/<year>.jsonl');
  }
  for (const name of names ?? []) {
    if (name.startsWith('.')) continue;
    if (!name.endsWith('.jsonl')) {
      reader.fault(`reviews/${name}`, 0, '', 'is not a .jsonl file, so its reviews would be lost');
      continue;
    }
    const path = `reviews/${name}`;
    const text = await reader.text(path);
    if (text === undefined) continue;
    const { lines, faults } = parseJsonLines(text, reader.shown(path), reviewRecord);
    reader.report(faults);
    for (const { line, value } of lines) {
      const place = `${reader.shown(path)}:${line}`;
      const first = firstPlace.get(value.id);
      if (first) reader.fault(path, line, 'id', `is already used at ${first}`, value.id);
      else firstPlace.set(value.id, place);
      const reply = value.owner_reply?.date;
      if (reply !== undefined && reply < value.date) {
        reader.fault(path, line, 'owner_reply.date', `is before the review (${value.date})`, reply);
      }
      reviews.push(value);
    }
    reader.progress(`${reviews.length} reviews read`, reviews.length);
  }
  return reviews;
}
