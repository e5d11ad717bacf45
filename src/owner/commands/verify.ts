import type { KeyObject } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { placeOf, ReadError, readIfThere } from '../../build/site-files.ts';
import { readRelease } from '../../content/read-pack.ts';
import { parsePublicKeys } from '../../edition/signature.ts';
import { JOURNAL_PATH } from '../../paths.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { journalHead, type JournalEntry, type JournalHead } from '../../schema/journal.ts';
import { loadDocument, readPublished } from './published-site.ts';
import { contentChecks } from './verify-content.ts';
import { checkFiles, checkSignature } from './verify-files.ts';

const USAGE = `usage: npm run verify -- <site> [options]
  site                  the address of the site, or the folder of its files
  --save FILE           keep the head of its journal in a file, if nothing differs; the next run
                        with this file shows that nothing was rewritten, and says what changed
  --journal-head HEAD   a head of its journal that you saved: seq:hash, or a journal.json
  --continues DEPLOYED  the site whose journal must be continued, if there is one yet
  --public-key KEYS     the keys that may have signed it: x of the keys in a site's key file that you
                        saved, comma-separated, or a PEM file`;

/**
 * Reads every published review again, derives all that is published about them, checks journal, files
 * and signature, and prints a verdict of six lines and each difference; exit status 1 if there is any.
 */
export const verify: Command = async (args, print) => {
  const { values, positionals } = parseOptions(args, OPTIONS, USAGE);
  const { continues, 'journal-head': head, 'public-key': keys, save } = values;
  const [site, ...others] = positionals;
  if (!site || others.length > 0) throw new UsageError(USAGE);
  const deployed = continues === undefined ? undefined : await deployedHead(continues);
  if (typeof deployed === 'string')
    print(`nothing of ours is deployed at ${continues} yet: ${deployed}`);
  const kept = save === undefined ? undefined : await readKept(save, site);
  const saved = [
    ...(typeof deployed === 'object' ? [deployed] : []),
    ...(head === undefined ? [] : [await readHead(head)]),
    ...(kept ? [kept] : []),
  ];
  const published = await readPublished(site);
  const {
    changes,
    edition,
    journal: { seq, hash },
  } = published;
  const checks = [
    ...contentChecks(published, await readRelease(), saved),
    await checkFiles(site, edition),
    await checkSignature(site, edition, keys ? await readKeys(keys) : undefined, Date.now()),
  ];
  for (const { of, issues, verified } of checks) {
    const count = `${issues.length} difference${issues.length === 1 ? '' : 's'}`;
    const outcome = issues.length === 0 ? ['ok', verified] : ['NO', count];
    print([outcome[0], of.padEnd(9), outcome[1]].join('  '));
  }
  const issues = checks.flatMap((check) => check.issues);
  for (const issue of issues) print(issue);
  if (kept && issues.length === 0) print(changesSince(kept, changes));
  if (save !== undefined && issues.length === 0) print(await keepHead(save, site, { seq, hash }));
  return issues.length === 0 ? 0 : 1;
};

const OPTIONS = {
  allowPositionals: true,
  options: {
    'journal-head': { type: 'string' },
    continues: { type: 'string' },
    'public-key': { type: 'string' },
    save: { type: 'string' },
  },
} as const;

/**
 * Returns the head of a deployed journal, or the reason why there is none: no site or no journal yet,
 * a parked page, an origin that does not answer. A first deployment must not wait for itself.
 */
async function deployedHead(site: string): Promise<JournalHead | string> {
  try {
    const bytes = await readIfThere(placeOf(site, JOURNAL_PATH));
    if (!bytes) return 'it has no journal';
    return journalHead.strip().parse(JSON.parse(bytes.toString()));
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) return 'it is another site';
    const { message, status } = error as ReadError;
    // Nobody answers, or a proxy for a server that is not there.
    if (error instanceof ReadError && (status === undefined || status === 502)) return message;
    throw error;
  }
}

async function readKeys(keys: string): Promise<KeyObject[]> {
  const isKey = /^[\w-]{43}(,|$)/.test(keys);
  return parsePublicKeys(isKey ? keys : await readFile(keys, 'utf8'));
}

async function readHead(head: string): Promise<JournalHead> {
  const match = /^(\d+):([0-9a-f]{64})$/.exec(head);
  if (match) return { seq: Number(match[1]), hash: match[2]! };
  return await loadDocument(head, journalHead.strip());
}

const keptHead = z.strictObject({ site: z.string(), ...journalHead.shape });

/**
 * Returns the head that {@link keepHead} wrote, or undefined if there is no such file.
 *
 * @throws if the file is of another site, or no head
 */
async function readKept(file: string, site: string): Promise<JournalHead | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  let parsed: z.infer<typeof keptHead>;
  try {
    parsed = keptHead.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is not the head of a journal that was saved`, { cause: error });
  }
  const { site: kept, ...head } = parsed;
  if (kept !== site) throw new Error(`${file} has the head of ${kept}, not of ${site}`);
  return head;
}

/** Writes a head, complete or not at all, and says so. */
async function keepHead(file: string, site: string, head: JournalHead): Promise<string> {
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
