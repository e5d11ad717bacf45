import { labeledText } from '../../schema/review-parts.ts';
import { reviewRecord, type ReviewRecord } from '../../schema/review.ts';
import { displayName, isDisplayOf, type AuthorDisplay } from './author.ts';
import { digestOf, isNamed, type Candidate } from './candidate.ts';

/** Fields in the order in which every line has them, so that a diff shows only what changed. */
const FIELD_ORDER = reviewRecord.keyof().options;

export function toLine(record: ReviewRecord): string {
  const ordered: Record<string, unknown> = {};
  for (const field of FIELD_ORDER) {
    if (record[field] !== undefined) ordered[field] = record[field];
  }
  return JSON.stringify(ordered);
}

/**
 * Chooses the newer of two versions of a review in one import. Equally new ones are ordered by their
 * digest, so that the order of rows and files does not matter.
 */
export function newerOf(a: Candidate, b: Candidate): Candidate {
  const [first, second] = [a.version ?? '', b.version ?? ''];
  if (first !== second) return first > second ? a : b;
  return tieBreak(a.record) >= tieBreak(b.record) ? a : b;
}

/** Tells whether a text ends as one that is cut short. */
export function isCutShort(text: string): boolean {
  return text.endsWith('…') || text.endsWith('...');
}

/** Returns a version of a review with its whole text, if this one has only the beginning of the other's. */
export function uncut(record: ReviewRecord, other: ReviewRecord | undefined): ReviewRecord {
  if (record.text == null || other?.text == null || !isCutShort(record.text)) return record;
  const beginning = record.text.slice(0, record.text.endsWith('…') ? -1 : -3).trimEnd();
  const isShorter = record.text.length < other.text.length && beginning !== '';
  if (!isShorter || !other.text.startsWith(beginning)) return record;
  const { text, language, criticism_at } = other;
  const whole = { ...record, text, language, criticism_at };
  return { ...whole, source_digest: digestOf(whole) };
}

function tieBreak(record: ReviewRecord): string {
  return `${record.source_digest} ${toLine(record)}`;
}

type Merged =
  | { outcome: 'added' | 'changed'; record: ReviewRecord; fields: string[]; wasEdited: boolean }
  | { outcome: 'unchanged' | 'older' };

/**
 * Brings a record up to its platform's version. The author's name, a verdict of `verified: false`
 * and a corrected language stay as people set them, and so do all words until the platform has
 * others: the digest of the last import tells which of the two changed. A review that its platform
 * shows again counts as verified again.
 *
 * @param existing the record in content/, if there is one
 * @param now the time of an edit that the platform does not date
 */
export function mergeRecord(
  existing: ReviewRecord | undefined,
  candidate: Candidate,
  { now, authorDisplay }: { now: string; authorDisplay: AuthorDisplay },
): Merged {
  const { record: incoming, version, author } = candidate;
  if (existing === undefined) {
    return { outcome: 'added', record: incoming, fields: [], wasEdited: false };
  }
  const ruled: ReviewRecord = {
    ...existing,
    author: isDisplayOf(existing.author, author)
      ? displayName(author, authorDisplay)
      : existing.author,
    origin: incoming.origin ?? existing.origin,
    attributes: incoming.attributes ?? existing.attributes,
    held_back: incoming.held_back,
    verified: (existing.verified || existing.held_back === true) && incoming.verified,
  };
  const isNewOnPlatform = existing.source_digest !== incoming.source_digest;
  const isFormer = isNewOnPlatform && existing.source_digest === formerDigest(incoming);
  if (isNewOnPlatform && !isFormer && isOlder(candidate, existing)) return { outcome: 'older' };
  const wasEdited =
    existing.source_digest !== undefined && digestOf(existing) !== existing.source_digest;
  const edited = digestOf(existing) !== incoming.source_digest;
  const updated = version ?? (edited ? now : existing.updated_at);
  const { source_digest } = incoming;
  const isReplaced = isNewOnPlatform && !(isFormer && wasEdited);
  const record = isReplaced
    ? withPlatformParts(ruled, incoming, { updated, isFormer })
    : withVersion({ ...ruled, source_digest }, version);
  const fields = FIELD_ORDER.filter(
    (field) => JSON.stringify(existing[field]) !== JSON.stringify(record[field]),
  );
  if (fields.length === 0) return { outcome: 'unchanged' };
  return { outcome: 'changed', record, fields, wasEdited: wasEdited && isReplaced };
}

/**
 * An export without times is taken to be newer than the record. Of two versions of the same instant
 * the digest decides, so that their order does not.
 */
function isOlder({ version, record }: Candidate, existing: ReviewRecord): boolean {
  const known = existing.updated_at;
  if (version === undefined || known === undefined) return false;
  if (version !== known) return version < known;
  return (existing.source_digest ?? '') > (record.source_digest ?? '');
}

/** Dates words that are the same in a newer version, so that a version between the two is older. */
function withVersion(record: ReviewRecord, version: string | undefined): ReviewRecord {
  const isNewer = version !== undefined && version > (record.updated_at ?? '');
  return isNewer ? { ...record, updated_at: version } : record;
}

/** The fields that its platform decides. */
const PLATFORM_PARTS =
  'rating score title text criticism_at source_digest source_url owner_reply'.split(
    ' ',
  ) as (keyof ReviewRecord)[];

function withPlatformParts(
  existing: ReviewRecord,
  incoming: ReviewRecord,
  { updated, isFormer }: { updated: string | undefined; isFormer: boolean },
): ReviewRecord {
  const sameWords =
    isFormer || (existing.text === incoming.text && existing.title === incoming.title);
  // Another tool may name the review otherwise: the first name stays.
  const source_id = (isNamed(existing) ? existing : incoming).source_id ?? existing.source_id;
  const kept = { ...existing, ...(!sameWords && { language: incoming.language }) };
  const parts = Object.fromEntries(PLATFORM_PARTS.map((part) => [part, incoming[part]]));
  return { ...kept, ...parts, source_id, updated_at: updated };
}

/** Returns the digest of a record of an import that put labels into the text and kept no score. */
function formerDigest(record: ReviewRecord): string {
  const text = labeledText(record, { praise: 'Liked', criticism: 'Disliked' });
  return digestOf({ ...record, text, criticism_at: undefined, score: undefined });
}
