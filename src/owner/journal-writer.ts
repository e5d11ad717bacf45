import { randomBytes } from 'node:crypto';
import type { Chain, Change } from '../journal/chain.ts';
import { burialOf, changeOf } from '../journal/comparison.ts';
import type { WithdrawalReason } from '../schema/journal.ts';
import type { Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { LockedDataset } from './locked-dataset.ts';

/**
 * Records how a dataset differs from its journal: it is shown every review, and appends the entries
 * that lead there. Changes that were made by hand are recorded with the others.
 */
export class JournalWriter {
  readonly changes: Change[] = [];
  readonly #chain: Chain;
  readonly #now: string;
  readonly #dataset: LockedDataset;

  constructor(chain: Chain, now: string, dataset: LockedDataset) {
    this.#chain = chain;
    this.#now = now;
    this.#dataset = dataset;
  }

  get head() {
    return this.#chain.head;
  }

  record(record: ReviewRecord): void {
    this.#take(changeOf(this.#chain, record));
  }

  /** Withdraws a review: keeps its tombstone, and records that it is gone. */
  withdraw(tombstone: Tombstone): void {
    this.#dataset.append('withdrawn.jsonl', JSON.stringify(tombstone));
    this.bury(tombstone);
  }

  /** Records that the review of a tombstone is gone. */
  bury(tombstone: Tombstone): void {
    this.#take(burialOf(this.#chain, tombstone));
  }

  #take(change: Change | undefined): void {
    if (!change) return;
    const entry = this.#chain.append(change, this.#now);
    this.#dataset.append(`journal/${entry.at.slice(0, 4)}.jsonl`, JSON.stringify(entry));
    this.changes.push(change);
  }
}

/** Returns what stays of a review that is withdrawn: by it, imports leave the review out. */
export function tombstoneOf(
  { id, date, source, source_id }: ReviewRecord,
  now: string,
  reason: WithdrawalReason,
): Tombstone {
  const named = source_id === undefined ? {} : { source_id };
  return { id, date, source, ...named, withdrawn_at: now, reason };
}

const SALT_BYTES = 16;
/** Bytes for many salts: each call for random ones takes long. */
let random = Buffer.alloc(0);

/** Returns the salt of a new review: 128 random bits. */
export function randomSalt(): string {
  if (random.length === 0) random = randomBytes(SALT_BYTES * 256);
  const salt = random.toString('hex', 0, SALT_BYTES);
  random = random.subarray(SALT_BYTES);
  return salt;
}
