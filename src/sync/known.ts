import { readDraft, type Row } from '../import/draft.ts';
import { readRecords, readTombstones } from '../import/dataset-files.ts';
import { recognize } from '../import/formats.ts';
import { digestOf } from '../import/record.ts';

/** Reviews that content/ has in their newest version, or that were withdrawn from it. */
export interface KnownReviews {
  /** Tells whether a row of the API brings nothing new. */
  has(row: Row): boolean;
}

export async function knownReviews(contentDir: string, source: string): Promise<KnownReviews> {
  const digests = new Map<string, string | undefined>();
  for await (const { record } of readRecords(contentDir)) {
    if (record.source === source && record.source_id !== undefined) {
      digests.set(record.source_id, record.source_digest);
    }
  }
  const withdrawn = new Set<string | undefined>();
  for await (const tombstone of readTombstones(contentDir)) {
    if (tombstone.source === source) withdrawn.add(tombstone.source_id);
  }
  return {
    has(row) {
      const fields = recognize([row])?.fields;
      if (!fields) return true;
      const draft = readDraft(row, { fields, scale: 5, dateOrder: undefined });
      if ('reason' in draft || draft.sourceId === undefined) return true;
      if (withdrawn.has(draft.sourceId)) return true;
      const digest = digests.get(draft.sourceId);
      return digest !== undefined && digest === digestOf({ ...draft, owner_reply: draft.reply });
    },
  };
}
