import type { z } from 'zod';
import { check, type IssueIn } from './issue.ts';

/** An entry of an owner's list; with the id of a pack's entry it adds to that one. */
export interface OwnEntry {
  id: string;
  omit?: true | undefined;
  [field: string]: unknown;
}

/**
 * Adds an owner's entries to those of a trade pack: words are added, other fields replace the
 * pack's, and `omit` leaves an entry out. The order is that of the pack, then the owner's.
 *
 * @param complete checks an entry after it was joined with the pack's
 */
export function extendList<T extends { id: string }>(
  base: readonly T[],
  own: readonly OwnEntry[],
  complete: z.ZodType<T>,
): { items: T[]; issues: IssueIn[] } {
  const items = new Map(base.map((entry) => [entry.id, entry]));
  const issues: IssueIn[] = [];
  const seen = new Set<string>();
  for (const [index, { omit, ...entry }] of own.entries()) {
    const { id } = entry;
    const known = items.get(id);
    if (seen.has(id)) issues.push({ path: [index, 'id'], reason: 'is used twice', value: id });
    else if (omit && !known) {
      const reason = 'no entry of the trade pack has this id';
      issues.push({ path: [index, 'id'], reason, value: id });
    } else if (omit) items.delete(id);
    else {
      const checked = check(complete, known ? join(known, entry) : entry);
      if (checked.value) items.set(id, checked.value);
      for (const { path, ...issue } of checked.issues ?? []) {
        issues.push({ path: [index, ...path], ...issue });
      }
    }
    seen.add(id);
  }
  return { items: [...items.values()], issues };
}

function join(known: object, own: Omit<OwnEntry, 'omit'>): object {
  const joined: Record<string, unknown> = { ...known };
  for (const [field, value] of Object.entries(own)) {
    const before = joined[field];
    joined[field] =
      Array.isArray(before) && Array.isArray(value) ? [...new Set([...before, ...value])] : value;
  }
  return joined;
}
