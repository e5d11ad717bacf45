import { publishedRecord } from '../dataset/publish.ts';
import { reasonCode, type WithdrawalReason, type JournalEntry } from '../schema/journal.ts';
import type { Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { kindOf, type Chain, type Change, type Known } from './chain.ts';
import { fingerprints, recordHash } from './hash.ts';

/**
 * Returns the change of a record that the journal is missing. A published record that is no longer
 * verified counts as withdrawn.
 */
export function changeOf(chain: Chain, record: ReviewRecord): Change | undefined {
  const { id, date } = record;
  const known = chain.stateOf(id);
  const before = known?.after ?? null;
  if (!record.verified) return known && before ? withdrawal(known, 'unverified') : undefined;
  const published = publishedRecord(record);
  const after = recordHash(published);
  if (after === before) return undefined;
  const parts = fingerprints(published);
  return { change: kindOf(parts, known), id, date, before, after, ...parts };
}

/** Returns the change of a withdrawn review; it may have gone before the journal began. */
export function burialOf(
  chain: Chain,
  { id, date, reason }: Pick<Tombstone, 'id' | 'date' | 'reason'>,
): Change | undefined {
  const known = chain.stateOf(id);
  if (known?.after === null) return undefined;
  return withdrawal(known ?? { id, date, after: null }, reasonCode(reason));
}

/** Returns the reviews of the journal that are in none of these lists. */
export function vanishedOf(chain: Chain, ...there: readonly Iterable<{ id: string }>[]): Known[] {
  const ids = new Set(there.flatMap((reviews) => [...reviews].map(({ id }) => id)));
  return [...chain.live()].filter(({ id }) => !ids.has(id));
}

function withdrawal(
  { id, date, after }: Pick<Known, 'id' | 'date' | 'after'>,
  reason: WithdrawalReason,
): Change {
  return { change: 'withdrawn', id, date, reason, before: after, after: null };
}

/** Returns the changes that a journal lacks of what leads to a dataset. */
export function missingChanges(
  chain: Chain,
  records: readonly ReviewRecord[],
  tombstones: readonly Tombstone[],
): Pick<JournalEntry, 'change'>[] {
  const changes = [
    ...records.map((record) => changeOf(chain, record)),
    ...tombstones.map((tombstone) => burialOf(chain, tombstone)),
    ...vanishedOf(chain, records, tombstones).map(() => ({ change: 'withdrawn' as const })),
  ];
  return changes.filter((change) => change !== undefined);
}

/** Counts changes by their kind. */
export function countChanges(changes: readonly Pick<JournalEntry, 'change'>[]) {
  const counts = { added: 0, edited: 0, replied: 0, withdrawn: 0 };
  for (const { change } of changes) counts[change]++;
  return counts;
}

/** Returns the numbers of changes that are not 0, e.g. `2 added, 1 edited`; empty if all are. */
export function describeChanges(changes: readonly Pick<JournalEntry, 'change'>[]): string {
  return Object.entries(countChanges(changes))
    .filter(([, count]) => count > 0)
    .map(([change, count]) => `${count} ${change}`)
    .join(', ');
}
