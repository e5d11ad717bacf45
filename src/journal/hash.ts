import { hash } from 'node:crypto';
import { RECORD_MEMBERS, type JournalEntry, type PublishedRecord } from '../schema/journal.ts';

/**
 * Returns canonical JSON (RFC 8785): members sorted, nothing between them. JSON.stringify writes
 * strings and numbers as the RFC wants them.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const members = value as Record<string, unknown>;
  let text = '';
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member === undefined) continue;
    if (text !== '') text += ',';
    text += `${/^\w+$/.test(name) ? `"${name}"` : JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Returns the hash by which the next change refers to this one. */
export function entryHash(entry: JournalEntry): string {
  return sha256(entry);
}

/** Returns the hash of a review's {@link RECORD_MEMBERS}, whatever else it has. */
export function recordHash(review: PublishedRecord): string {
  return sha256(Object.fromEntries(RECORD_MEMBERS.map((name) => [name, review[name]])));
}

const FINGERPRINT_DIGITS = 16;

/** Returns fingerprints of the parts of a record, which tell a new reply from an edit. */
export function fingerprints({
  owner_reply: reply,
  updated_at: __,
  ...words
}: PublishedRecord): Pick<JournalEntry, 'words' | 'reply'> {
  const short = (value: unknown) => sha256(value).slice(0, FINGERPRINT_DIGITS);
  const { salt } = words;
  const salted = salt === undefined ? reply : { reply, salt };
  return { words: short(words), ...(reply !== null && { reply: short(salted) }) };
}

/** Several times faster than a hash in JavaScript, and just as pure. */
function sha256(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}
