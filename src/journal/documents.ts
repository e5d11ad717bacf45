import { monthChangesPath } from '../paths.ts';
import {
  RECORD_MEMBERS,
  type ChangesDocument,
  type JournalDocument,
  type JournalEntry,
  type JournalHead,
  type MonthChanges,
} from '../schema/journal.ts';
import { noChanges } from './comparison.ts';

/** A journal as it is published. */
export interface PublishedJournal {
  /** Newest first. */
  changes: readonly JournalEntry[];
  head: JournalHead;
  /** True if the changes lead to the published reviews. */
  complete: boolean;
}

/** Most changes of one document. */
const MOST = 500;
/** Bound of `/changes.json`, which is pushed in full: a subscriber that has more follows `next`. */
const DAYS = 7;

/** Returns `/changes.json`. */
export function buildChanges({ changes, head, complete }: PublishedJournal): ChangesDocument {
  const newest = changes[0];
  if (!newest) return { head, complete, changes: [] };
  const oldest = new Date(Date.parse(newest.at) - DAYS * 86_400_000).toISOString();
  const shown = changes.slice(0, MOST).filter(({ at }) => at >= oldest);
  const older = changes[shown.length];
  return {
    head,
    complete,
    changes: shown,
    ...(older && { next: monthPages(changes).find(({ oldest }) => oldest <= older.seq)!.path }),
  };
}

/** Returns the documents of the months by their paths, newest first. */
export function monthDocuments({ changes }: PublishedJournal): Map<string, MonthChanges> {
  const pages = monthPages(changes);
  return new Map(
    pages.map(({ path, ...page }, at) => {
      const next = pages[at + 1]?.path;
      return [path, { month: page.month, changes: page.changes, ...(next && { next }) }];
    }),
  );
}

interface MonthPage {
  path: string;
  month: string;
  changes: JournalEntry[];
  /** Number of its oldest change. */
  oldest: number;
}

/**
 * Divides the changes of each month into pages. The pages before a month's newest one are full and
 * numbered from the oldest, so that a new change alters only the newest one.
 *
 * @param changes newest first
 */
function monthPages(changes: readonly JournalEntry[]): MonthPage[] {
  return [...Map.groupBy(changes, monthOf)].flatMap(([month, ofMonth]) => {
    const count = Math.ceil(ofMonth.length / MOST);
    const inNewest = ofMonth.length - (count - 1) * MOST;
    return Array.from({ length: count }, (_, at) => {
      const start = at === 0 ? 0 : inNewest + (at - 1) * MOST;
      const changes = ofMonth.slice(start, inNewest + at * MOST);
      const path = monthChangesPath(month, at === 0 ? undefined : count - at);
      return { path, month, changes, oldest: changes.at(-1)!.seq };
    });
  });
}

function monthOf({ at }: JournalEntry): string {
  return at.slice(0, 7);
}

/** Returns `/journal.json`. */
export function buildJournal(journal: PublishedJournal): JournalDocument {
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
    months: monthPages(changes).map(({ path }) => path),
  };
}

/** Returns a document with one change per line, so that versions of it can be compared. */
export function serializeChanges(document: ChangesDocument | MonthChanges): string {
  const { changes, ...rest } = document;
  const lines = changes.map((change) => `\n${JSON.stringify(change)}`).join();
  return `${JSON.stringify(rest).slice(0, -1)},"changes":[${lines}\n]}\n`;
}
