import { Chain, type Change } from '../../src/journal/chain.ts';
import { burialOf, changeOf } from '../../src/journal/comparison.ts';
import type { JournalEntry } from '../../src/schema/journal.ts';
import type { Tombstone } from '../../src/schema/provenance.ts';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { ulidOf } from './reviews.ts';

/** A state of a dataset, and when it was recorded. */
export interface Step {
  at: string;
  records: readonly ReviewRecord[];
  tombstones?: readonly Tombstone[];
}

/** Records states of a dataset one after the other. */
export function journalOf(...steps: readonly Step[]): JournalEntry[] {
  const chain = new Chain();
  return steps.flatMap(({ at, records, tombstones = [] }) =>
    changesTo(chain, records, tombstones).map((change) => chain.append(change, at)),
  );
}

/** The changes that lead from a journal to these records. */
export function changesTo(
  chain: Chain,
  records: readonly ReviewRecord[],
  tombstones: readonly Tombstone[],
): Change[] {
  return [
    ...records.map((record) => changeOf(chain, record)),
    ...tombstones.map((tombstone) => burialOf(chain, tombstone)),
  ].filter((change) => change !== undefined);
}

/** A tombstone of the review of a number. */
export function tombstoneOf(number: number, reason = 'gone-from-platform'): Tombstone {
  return {
    id: ulidOf(number),
    date: '2026-03-01',
    source: 'google',
    withdrawn_at: '2026-04-01T00:00:00Z',
    reason,
  };
}
