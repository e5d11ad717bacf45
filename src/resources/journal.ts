import { countChanges } from '../journal/comparison.ts';
import { JOURNAL_PATH } from '../paths.ts';
import {
  journalDocument,
  journalHead,
  RECORD_MEMBERS,
  type JournalDocument,
} from '../schema/journal.ts';
import { monthPages } from './changes.ts';
import { documentResource, json } from './resource.ts';
import type { PublishedJournal } from './source.ts';

export const JOURNAL = documentResource({
  id: 'getJournal',
  path: JOURNAL_PATH,
  tag: 'Changes',
  title: 'The journal in brief',
  description: 'How many changes there are, of which kind, and the hash of the newest one.',
  schemas: { journal: journalDocument },
  parts: { JournalHead: journalHead },
  build: ({ journal }) => json(buildJournal(journal)),
  example: 'Abridged',
});

export function buildJournal(journal: PublishedJournal): JournalDocument {
  const { changes, head, complete } = journal;
  const seen = new Set<string>();
  const withdrawn = new Map<string, number>();
  for (const { id, reason } of changes) {
    if (reason && !seen.has(id)) withdrawn.set(reason, (withdrawn.get(reason) ?? 0) + 1);
    seen.add(id);
  }
  return {
    ...head,
    count: changes.length,
    at: changes[0]?.at ?? null,
    complete,
    by_change: countChanges(changes),
    withdrawn: [...withdrawn].map(([reason, count]) => ({ reason, count })),
    members: [...RECORD_MEMBERS],
    months: monthPages(changes).map(({ path }) => path),
  };
}
