import type { JournalEntry, JournalHead } from '../schema/journal.ts';
import { entryHash } from './hash.ts';

/** A change that is not numbered and dated yet. */
export type Change = Omit<JournalEntry, 'seq' | 'at' | 'previous'>;

/** The state in which the journal leaves a review; `after` is null if it is withdrawn. */
export type Known = Pick<JournalEntry, 'id' | 'date' | 'after' | 'words' | 'reply'>;

/** The reason why an entry cannot follow those before it. */
interface ChainIssue {
  field: keyof JournalEntry;
  reason: string;
}

/**
 * A journal, entry by entry: each names the hash of the one before, so that a change of an old one
 * shows, and the hash of the record that it changes, so that nothing is left out between them.
 */
export class Chain {
  /** States of reviews by their id. */
  readonly #known = new Map<string, Known>();
  /** Hashes of entries by their number. */
  readonly #hashes = new Map<number, string>();
  #head: JournalHead = { seq: 0, hash: null };
  #at = '';

  get head(): JournalHead {
    return this.#head;
  }

  /** Returns the hash of an entry; undefined if there is none with this number. */
  hashOf(seq: number): string | undefined {
    return this.#hashes.get(seq);
  }

  /** Returns the state of a review; undefined if the journal never had it. */
  stateOf(id: string): Known | undefined {
    return this.#known.get(id);
  }

  /** The reviews that are not withdrawn. */
  *live(): Generator<Known> {
    for (const known of this.#known.values()) if (known.after !== null) yield known;
  }

  /** Takes the next entry, and returns the reason why it cannot be the next one. */
  add(entry: JournalEntry): ChainIssue | undefined {
    const { seq, at, id, date, after, words, reply } = entry;
    const issue = this.#linkIssue(entry) ?? stateIssue(entry, this.#known.get(id));
    this.#known.set(id, { id, date, after, words, reply });
    this.#head = { seq, hash: entryHash(entry) };
    this.#hashes.set(seq, this.#head.hash!);
    this.#at = at;
    return issue;
  }

  /** Numbers and dates a change as the next entry; its time is never before that of the last one. */
  append(change: Change, now: string): JournalEntry {
    const { seq, hash } = this.#head;
    const { id, date, reason, before, after, words, reply } = change;
    const entry: JournalEntry = {
      seq: seq + 1,
      at: this.#at > now ? this.#at : now,
      change: change.change,
      id,
      date,
      ...(reason && { reason }),
      before,
      after,
      ...(words && { words }),
      ...(reply && { reply }),
      previous: hash,
    };
    this.add(entry);
    return entry;
  }

  #linkIssue({ seq, at, previous }: JournalEntry): ChainIssue | undefined {
    const { seq: last, hash } = this.#head;
    if (seq <= last) return { field: 'seq', reason: this.#repeated(seq, previous) };
    if (seq > last + 1) {
      const lost =
        seq === last + 2 ? `entry ${last + 1} is` : `entries ${last + 1} to ${seq - 1} are`;
      return { field: 'seq', reason: `${lost} missing before it` };
    }
    if (previous !== hash) {
      const reason = last === 0 ? 'must be null: nothing is before it' : REWRITTEN;
      return { field: 'previous', reason };
    }
    if (at < this.#at) {
      return { field: 'at', reason: `is before ${this.#at}, the time of the entry above` };
    }
    return undefined;
  }

  #repeated(seq: number, previous: string | null): string {
    const isFork = previous === (this.hashOf(seq - 1) ?? null);
    return isFork ? FORKED : 'is already used above';
  }
}

const REWRITTEN = 'is not the hash of the entry above: that one was changed after it was recorded';

const FORKED =
  'is already used above: two branches recorded changes. Keep the lines of the one that was ' +
  'published, delete those of the other, and run npm run reviews -- record';

/** Checks an entry against the state in which the journal left its review. */
function stateIssue(entry: JournalEntry, known: Known | undefined): ChainIssue | undefined {
  const { change, before, after, reason } = entry;
  const isGone = change === 'withdrawn';
  if (isGone !== (after === null)) {
    return { field: 'after', reason: isGone ? 'must be null' : 'must be a hash' };
  }
  if (isGone !== (reason !== undefined)) {
    return { field: 'reason', reason: isGone ? 'is missing' : 'belongs to withdrawn reviews only' };
  }
  if (change === 'added' && known?.after) return { field: 'id', reason: 'was added before' };
  if (isGone && known?.after === null) return { field: 'id', reason: 'was withdrawn before' };
  if (change !== 'added' && !isGone && !known?.after) {
    return { field: 'id', reason: known ? 'is withdrawn' : 'was never added' };
  }
  if (before !== (known?.after ?? null)) {
    return { field: 'before', reason: 'is not the hash that the journal has for this review' };
  }
  if (!isGone && change !== kindOf(entry, known)) {
    return { field: 'change', reason: `must be ${kindOf(entry, known)}, by its hashes` };
  }
  return undefined;
}

/** Names the change that leads from one state of a review to another. */
export function kindOf(
  next: Pick<JournalEntry, 'words' | 'reply'>,
  known: Known | undefined,
): 'added' | 'edited' | 'replied' {
  if (!known?.after) return 'added';
  return next.words === known.words && next.reply !== known.reply ? 'replied' : 'edited';
}
