import { hash } from 'node:crypto';
import { reviewRecord, type ReviewRecord } from '../../schema/review.ts';
import { displayName, type AuthorDisplay } from './author.ts';
import type { Draft, Reading } from './draft.ts';
import { detectLanguage } from './language.ts';
import type { Remarks } from './remarks.ts';

/** A review as an import would write it, with what merging needs to know of its platform. */
export interface Candidate {
  record: ReviewRecord;
  /** The full name of the author; never written. */
  author: string | undefined;
  /** Instant of the platform's version, if it tells. */
  version: string | undefined;
  /** The format of the tool that named the review; a tool gives it the same id each time. */
  tool: string;
  /** True if its file tells which reviews are shown, or has only those. */
  tellsState: boolean;
  /** File and row, as messages name them. */
  place: string;
  remarks: Remarks;
}

interface RecordRules {
  place: string;
  /** Empty if the row has none. */
  source: string;
  /** The last day that a review can have. */
  tomorrow: string;
  authorDisplay: AuthorDisplay;
  format: Pick<Reading, 'name' | 'link' | 'isOwn' | 'tellsState'>;
  /** The language of texts too short to tell. */
  language: string;
  /** Numbers of rows of the file so far, by their content. */
  occurrences: Map<string, number>;
}

/** Makes the record of a draft. @returns the candidate, or the reason why there can be none */
export function toCandidate(draft: Draft, rules: RecordRules): Candidate | { reason: string } {
  const { source, place, format } = rules;
  const { author: name, remarks, record: told } = draft;
  if (source === '') return { reason: 'has no source' };
  if (told.date > rules.tomorrow) return { reason: 'is dated after today' };
  const author = displayName(name, rules.authorDisplay);
  const keptId = format.isOwn ? told.source_id : undefined;
  const nameOnPlatform = told.source_id ?? rowName(told, author, rules.occurrences);
  const link = told.source_id && format.link?.replace('{id}', told.source_id);
  const record: ReviewRecord = {
    ...told,
    id: keptId ?? deriveId(source, nameOnPlatform, told.date),
    author,
    language: languageOf(told, rules.language),
    source,
    source_id: keptId === undefined ? nameOnPlatform : undefined,
    source_digest: digestOf(told),
    source_url: told.source_url ?? link,
    updated_at: versionOf(told),
  };
  const parsed = reviewRecord.safeParse(record);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return { reason: `${path.join('.')} ${message}` };
  }
  const { name: tool, tellsState } = format;
  return { record, author: name, version: told.updated_at, tool, tellsState, place, remarks };
}

/** Returns the language of the words, if there are any; a record leaves out English. */
function languageOf({ title, text, language }: Told, expected: string): string | undefined {
  const words = [title, text].filter((part) => part != null).join('\n');
  if (words === '') return undefined;
  const found = language ?? detectLanguage(words, expected);
  return found === 'en' ? undefined : found;
}

type Told = Draft['record'];

/**
 * Returns the version where it differs from what a record without `updated_at` has: midnight of the
 * newest day. If a reply is older than its review, the review was edited.
 */
function versionOf({ date, owner_reply: reply, updated_at }: Told): string | undefined {
  const isEdited = reply?.date != null && reply.date < date;
  return updated_at ?? (isEdited ? `${date}T00:00:00Z` : undefined);
}

const ROW = 'row:';
const ROW_DIGITS = 16;

/** Names a row of an export without ids by its content; equal rows are numbered. It is never published. */
function rowName(
  { date, rating, title, text }: Told,
  author: string,
  occurrences: Map<string, number>,
): string {
  const key = JSON.stringify([date, rating, author, title ?? null, text ?? null]);
  const before = occurrences.get(key) ?? 0;
  occurrences.set(key, before + 1);
  const content = text == null ? `${key}${before}` : key;
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
  criticism_at,
  score,
}: Pick<
  ReviewRecord,
  'rating' | 'title' | 'text' | 'owner_reply' | 'criticism_at' | 'score'
>): string {
  const parts = [rating, title ?? null, text ?? null, reply?.text ?? null, reply?.date ?? null];
  const others = [criticism_at, score?.value, score?.best];
  const isPlain = others.every((part) => part === undefined);
  return hash('sha256', JSON.stringify(isPlain ? parts : [...parts, others])).slice(0, 16);
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
