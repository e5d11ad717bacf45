import { hash } from 'node:crypto';
import { reviewRecord, type ReviewRecord } from '../../schema/review.ts';
import { displayName, type AuthorDisplay } from './author.ts';
import { withoutLabels, type Cleaned, type Draft } from './draft.ts';
import type { Format } from './known-formats.ts';
import { detectLanguage } from './language.ts';

/** A review as an import would write it, with what merging needs to know of its platform. */
export interface Candidate {
  record: ReviewRecord;
  /** The full name of the author; never written. */
  author: string | undefined;
  /** Instant of the platform's version, if it tells. */
  version: string | undefined;
  /** File and row, as messages name them. */
  place: string;
  cleaned: Cleaned;
}

interface RecordRules {
  place: string;
  /** Empty if the row has none. */
  source: string;
  /** The last day that a review can have. */
  tomorrow: string;
  authorDisplay: AuthorDisplay;
  format: Pick<Format, 'link' | 'isOwn'>;
  /** The language of texts too short to tell. */
  language: string;
  /** Numbers of rows of the file so far, by their content. */
  occurrences: Map<string, number>;
}

/** Makes the record of a draft. @returns the candidate, or the reason why there can be none */
export function toCandidate(draft: Draft, rules: RecordRules): Candidate | { reason: string } {
  const { source, place } = rules;
  if (source === '') return { reason: 'has no source' };
  if (draft.date > rules.tomorrow) return { reason: 'is dated after today' };
  const { sourceId, date, rating, title, text, reply, origin } = draft;
  const author = displayName(draft.author, rules.authorDisplay);
  const words = [title, text].filter((part) => part !== undefined).join('\n');
  const language =
    words === ''
      ? undefined
      : (draft.language ?? detectLanguage(withoutLabels(words), rules.language));
  const sourceUrl =
    draft.sourceUrl ??
    (sourceId === undefined ? undefined : rules.format.link?.replace('{id}', sourceId));
  const keptId = rules.format.isOwn ? sourceId : undefined;
  const nameOnPlatform = sourceId ?? rowName(draft, author, rules.occurrences);
  const candidate: ReviewRecord = {
    id: keptId ?? deriveId(source, nameOnPlatform, date),
    author,
    rating,
    date,
    title,
    text,
    language: language === 'en' ? undefined : language,
    source,
    source_id: keptId === undefined ? nameOnPlatform : undefined,
    source_digest: digestOf({ rating, title, text, owner_reply: reply }),
    source_url: sourceUrl,
    owner_reply: reply,
    origin,
    held_back: draft.isHeldBack ? true : undefined,
    verified: !draft.isHeldBack && draft.isConfirmed,
    updated_at: versionOf(draft),
  };
  const parsed = reviewRecord.safeParse(candidate);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return { reason: `${path.join('.')} ${message}` };
  }
  return {
    record: candidate,
    author: draft.author,
    version: draft.updatedAt,
    place,
    cleaned: draft.cleaned,
  };
}

/**
 * Returns the version where it differs from what a record without `updated_at` has: midnight of the
 * newest day. If a reply is older than its review, the review was edited.
 */
function versionOf({ date, reply, updatedAt }: Draft): string | undefined {
  const isEdited = reply?.date != null && reply.date < date;
  return updatedAt ?? (isEdited ? `${date}T00:00:00Z` : undefined);
}

const ROW = 'row:';
const ROW_DIGITS = 16;

/** Names a row of an export without ids by its content; equal rows are numbered. It is never published. */
function rowName(
  { date, rating, title, text }: Draft,
  author: string,
  occurrences: Map<string, number>,
): string {
  const words = text === undefined ? null : withoutLabels(text);
  const key = JSON.stringify([date, rating, author, title ?? null, words]);
  const before = occurrences.get(key) ?? 0;
  occurrences.set(key, before + 1);
  const content = text === undefined ? `${key}${before}` : key;
  return ROW + hash('sha256', content).slice(0, ROW_DIGITS);
}

/** Tells whether a review has an id of its platform, and not the one of a row. */
export function isNamed({ source_id: sourceId }: ReviewRecord): boolean {
  return sourceId !== undefined && !sourceId.startsWith(ROW);
}

/**
 * Returns a new review with its salt. The id of a row becomes random by it, because it stays in the
 * journal: whoever guesses the words of an erased review could confirm them.
 */
export function salted(record: ReviewRecord, salt: string): ReviewRecord {
  const { source, source_id: sourceId, date } = record;
  if (!sourceId?.startsWith(ROW)) return { ...record, salt };
  return { ...record, id: deriveId(source, `${sourceId} ${salt}`, date), salt };
}

/** Identifies the parts of a record that its platform decides. */
export function digestOf({
  rating,
  title,
  text,
  owner_reply: reply,
}: Pick<ReviewRecord, 'rating' | 'title' | 'text' | 'owner_reply'>): string {
  const parts = [rating, title ?? null, text ?? null, reply?.text ?? null, reply?.date ?? null];
  return hash('sha256', JSON.stringify(parts)).slice(0, 16);
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LETTERS = 10;
const HASH_DIGITS = 20;

/** Derives a ULID from a date and from a hash, so that an id of a platform always gives the same. */
export function deriveId(source: string, sourceId: string, date: string): string {
  let time = '';
  for (let rest = Date.parse(date); time.length < TIME_LETTERS; rest = Math.floor(rest / 32)) {
    time = CROCKFORD[rest % 32] + time;
  }
  const digest = hash('sha256', `${source}\0${sourceId}\0${date}`);
  let bits = BigInt(`0x${digest.slice(0, HASH_DIGITS)}`);
  let random = '';
  for (; random.length < 16; bits >>= 5n) random = CROCKFORD[Number(bits & 31n)] + random;
  return time + random;
}
