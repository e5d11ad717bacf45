import { monthChangesPath } from '../paths.ts';
import {
  RECORD_MEMBERS,
  type ChangesDocument,
  type JournalDocument,
  type JournalEntry,
  type JournalHead,
  type MonthChanges,
} from '../schema/journal.ts';
import { noChanges } from './coverage.ts';

/** A journal as it is published. */
export interface PublishedJournal {
  /** Newest first. */
  changes: readonly JournalEntry[];
  head: JournalHead;
  /** True if the changes lead to the published reviews. */
  complete: boolean;
}

/** Bounds of `/changes.json`, which is pushed in full: a subscriber that has more follows `next`. */
const MOST = 500;
const DAYS = 7;

/** Returns `/changes.json`. */
export function changesDocument({ changes, head, complete }: PublishedJournal): ChangesDocument {
  const newest = changes[0];
  if (!newest) return { head, complete, changes: [] };
  const oldest = new Date(Date.parse(newest.at) - DAYS * 86_400_000).toISOString();
  const shown = changes.slice(0, MOST).filter(({ at }) => at >= oldest);
  const older = changes[shown.length];
  return {
    head,
    complete,
    changes: shown,
    ...(older && { next: monthChangesPath(monthOf(older)) }),
  };
}

/** Returns the documents at {@link monthChangesPath}, newest month first. */
export function monthDocuments({ changes }: PublishedJournal): MonthChanges[] {
  const months = [...Map.groupBy(changes, monthOf)];
  return months.map(([month, changes], at) => {
    const older = months[at + 1]?.[0];
    return { month, changes, ...(older && { next: monthChangesPath(older) }) };
  });
}

function monthOf({ at }: JournalEntry): string {
  return at.slice(0, 7);
}

/** Returns `/journal.json`. */
export function journalDocument(journal: PublishedJournal): JournalDocument {
  const { changes, head, complete } = journal;
  const by_change = noChanges();
  const seen = new Set<string>();
  const withdrawn = new Map<string, number>();
  for (const { change, id, reason } of changes) {
    by_change[change]++;
    if (reason && !seen.has(id)) withdrawn.set(reason, (withdrawn.get(reason) ?? 0) + 1);
    seen.add(id);
  }
  return {
    ...head,
    count: changes.length,
    at: changes[0]?.at ?? null,
    complete,
    by_change,
    withdrawn: [...withdrawn].map(([reason, count]) => ({ reason, count })),
    members: [...RECORD_MEMBERS],
    months: [...new Set(changes.map((change) => monthChangesPath(monthOf(change))))],
  };
}

/** Returns a document with one change per line, so that versions of it can be compared. */
export function serializeChanges(document: ChangesDocument | MonthChanges): string {
  const { changes, ...rest } = document;
  const lines = changes.map((change) => `\n${JSON.stringify(change)}`).join();
  return `${JSON.stringify(rest).slice(0, -1)},"changes":[${lines}\n]}\n`;
}
