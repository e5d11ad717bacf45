import { publishedRecord } from '../dataset/publish.ts';
import { reasonCode, type WithdrawalReason } from '../schema/journal.ts';
import type { Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { kindOf, type Chain, type Change, type Known } from './chain.ts';
import { fingerprints, recordHash } from './hash.ts';

/** Finds the changes of a dataset that its journal lacks. Every record is shown to it once. */
export class Comparison {
  readonly #chain: Chain;
  readonly #seen = new Set<string>();

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** Returns the change of a record; one that is not verified is withdrawn if it was published. */
  record(record: ReviewRecord): Change | undefined {
    const { id, date } = record;
    this.#seen.add(id);
    const known = this.#chain.stateOf(id);
    const before = known?.after ?? null;
    if (!record.verified) return known && before ? withdrawal(known, 'unverified') : undefined;
    const published = publishedRecord(record);
    const after = recordHash(published);
    if (after === before) return undefined;
    const parts = fingerprints(published);
    return { change: kindOf(parts, known), id, date, before, after, ...parts };
  }

  /** Returns the change of a withdrawn review; it may have gone before the journal began. */
  buried({ id, date, reason }: Pick<Tombstone, 'id' | 'date' | 'reason'>): Change | undefined {
    this.#seen.add(id);
    const known = this.#chain.stateOf(id);
    if (known?.after === null) return undefined;
    return withdrawal(known ?? { id, date, after: null }, reasonCode(reason));
  }

  /** The reviews that the journal has and that nothing accounts for. */
  *vanished(): Generator<Known> {
    for (const entry of this.#chain.live()) if (!this.#seen.has(entry.id)) yield entry;
  }
}

function withdrawal(
  { id, date, after }: Pick<Known, 'id' | 'date' | 'after'>,
  reason: WithdrawalReason,
): Change {
  return { change: 'withdrawn', id, date, reason, before: after, after: null };
}
