import {
  importRecord,
  tombstone,
  type ImportRecord,
  type Tombstone,
} from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { parseJsonLines } from './parse.ts';
import type { Reader } from './reader.ts';

/** Reads `imports.jsonl`, which only exists after an import. */
export async function readImports(reader: Reader): Promise<ImportRecord[]> {
  const path = 'imports.jsonl';
  const text = await reader.text(path, { optional: true });
  const { lines, issues } = parseJsonLines(text ?? '', reader.shown(path), importRecord);
  reader.report(issues);
  return lines.map(({ value }) => value);
}

/** Reads `withdrawn.jsonl`, if there is one; no review may have the id of a tombstone. */
export async function readWithdrawn(
  reader: Reader,
  reviews: readonly ReviewRecord[],
): Promise<Tombstone[]> {
  const path = 'withdrawn.jsonl';
  const text = await reader.text(path, { optional: true });
  const { lines, issues } = parseJsonLines(text ?? '', reader.shown(path), tombstone);
  reader.report(issues);
  const used = new Set(reviews.map(({ id }) => id));
  for (const { line, value } of lines) {
    if (used.has(value.id)) {
      reader.issue(path, line, 'id', 'is also that of a review: delete one of the two', value.id);
    }
    used.add(value.id);
  }
  return lines.map(({ value }) => value);
}
