import { CHANGES_PATH, monthChangesPath } from '../paths.ts';
import {
  changesDocument,
  journalEntry,
  monthChanges,
  type ChangesDocument,
  type JournalEntry,
  type MonthChanges,
} from '../schema/journal.ts';
import { documentResource } from './resource.ts';
import type { PublishedJournal } from './source.ts';

export const CHANGES = documentResource({
  id: 'getChanges',
  path: CHANGES_PATH,
  tag: 'Changes',
  title: 'The newest changes of the reviews',
  description:
    'Reviews that were added, edited, answered or withdrawn, newest first, each with the hash of the change before it. A topic.',
  schemas: { changes: changesDocument },
  parts: { Change: journalEntry },
  build: ({ journal }) => serializeChanges(buildChanges(journal)),
  example: 'Abridged',
});

export const MONTH_CHANGES = documentResource({
  id: 'getMonthChanges',
  path: monthChangesPath('{page}'),
  tag: 'Changes',
  title: 'The changes of a month',
  description: 'Older changes, at most 500; next leads to the ones before.',
  parameters: {
    page: {
      description:
        'The month in which they were recorded, YYYY-MM, or YYYY-MM-N as next names the older pages of a month.',
      schema: { type: 'string' },
      example: '2026-01',
    },
  },
  schemas: { 'month-changes': monthChanges },
  instances: ({ journal }) =>
    [...monthDocuments(journal)].map(([path, document]) => ({
      path,
      build: () => serializeChanges(document),
    })),
  example: 'The newest month',
});

/** Further changes are in other documents. */
const MAX_CHANGES = 500;
/** Bound of `/changes.json`, which is pushed in full: a subscriber that has more follows `next`. */
const DAYS = 7;

/** Returns the newest changes, as far as a push may have them. */
export function buildChanges({ changes, head, complete }: PublishedJournal): ChangesDocument {
  const newest = changes[0];
  if (!newest) return { head, complete, changes: [] };
  const oldest = new Date(Date.parse(newest.at) - DAYS * 86_400_000).toISOString();
  const shown = changes.slice(0, MAX_CHANGES).filter(({ at }) => at >= oldest);
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
  /** Number of the oldest change of the page. */
  oldest: number;
}

/**
 * Divides the changes of each month into pages. The pages before a month's newest one are full and
 * numbered from the oldest, so that a new change alters only the newest one.
 *
 * @param changes newest first
 */
export function monthPages(changes: readonly JournalEntry[]): MonthPage[] {
  return [...Map.groupBy(changes, monthOf)].flatMap(([month, ofMonth]) => {
    const count = Math.ceil(ofMonth.length / MAX_CHANGES);
    const inNewest = ofMonth.length - (count - 1) * MAX_CHANGES;
    return Array.from({ length: count }, (_, at) => {
      const start = at === 0 ? 0 : inNewest + (at - 1) * MAX_CHANGES;
      const changes = ofMonth.slice(start, inNewest + at * MAX_CHANGES);
      const path = monthChangesPath(month, at === 0 ? undefined : count - at);
      return { path, month, changes, oldest: changes.at(-1)!.seq };
    });
  });
}

function monthOf({ at }: JournalEntry): string {
  return at.slice(0, 7);
}

/** Returns a document with one change per line, so that versions of it can be compared. */
export function serializeChanges(document: ChangesDocument | MonthChanges): string {
  const { changes, ...rest } = document;
  const lines = changes.map((change) => `\n${JSON.stringify(change)}`).join();
  return `${JSON.stringify(rest).slice(0, -1)},"changes":[${lines}\n]}\n`;
}
