import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { journalHead, type JournalEntry, type JournalHead } from '../../schema/journal.ts';

const keptHead = z.strictObject({ site: z.string(), ...journalHead.shape });

/**
 * Returns the head that {@link keepHead} wrote, or undefined if there is no such file.
 *
 * @throws if the file is of another site, or no head
 */
export async function readKept(file: string, site: string): Promise<JournalHead | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = keptHead.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`${file} is not the head of a journal that was saved`);
  const { site: kept, ...head } = parsed.data;
  if (kept !== site) throw new Error(`${file} has the head of ${kept}, not of ${site}`);
  return head;
}

/** Writes a head, complete or not at all, and says so. */
export async function keepHead(file: string, site: string, head: JournalHead): Promise<string> {
  await writeFile(`${file}.part`, `${JSON.stringify({ site, ...head })}\n`);
  await rename(`${file}.part`, file);
  return `kept the head of the journal in ${file}`;
}

/** Returns a sentence that counts the changes after a head. */
export function changesSince({ seq }: JournalHead, changes: readonly JournalEntry[]): string {
  const newer = changes.filter((change) => change.seq > seq);
  if (newer.length === 0) return `nothing changed since number ${seq}`;
  const counts = [...Map.groupBy(newer, ({ change }) => change)].map(
    ([change, { length }]) => `${length} ${change}`,
  );
  const reviews = new Set(newer.map(({ id }) => id)).size;
  return `since number ${seq}: ${counts.join(', ')}, of ${reviews} review${reviews === 1 ? '' : 's'}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
