import type { JournalEntry } from '../schema/journal.ts';
import type { Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Chain } from './chain.ts';
import { burialOf, changeOf, vanishedOf } from './comparison.ts';

/** Numbers of changes by their kind. */
export type ChangeCounts = Record<JournalEntry['change'], number>;

export function noChanges(): ChangeCounts {
  return { added: 0, edited: 0, replied: 0, withdrawn: 0 };
}

/** Counts the changes that a journal lacks of what leads to a dataset. */
export function countUnrecorded(
  chain: Chain,
  records: readonly ReviewRecord[],
  tombstones: readonly Tombstone[],
): ChangeCounts {
  const counts = noChanges();
  const note = (change: Pick<JournalEntry, 'change'> | undefined): void => {
    if (change) counts[change.change]++;
  };
  for (const record of records) note(changeOf(chain, record));
  for (const tombstone of tombstones) note(burialOf(chain, tombstone));
  counts.withdrawn += vanishedOf(chain, records, tombstones).length;
  return counts;
}

/** Returns the numbers that are not 0, e.g. `2 added, 1 edited`; empty if all are. */
export function describeChanges(counts: ChangeCounts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([change, count]) => `${count} ${change}`)
    .join(', ');
}
