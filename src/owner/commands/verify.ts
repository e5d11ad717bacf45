import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { placeOf, readBytes, ReadError, readIfThere } from '../../build/site-files.ts';
import { readRelease } from '../../content/read-pack.ts';
import { parsePublicKeys } from '../../edition/signature.ts';
import { verifyDeep } from '../../insights/check-published.ts';
import { changedInputs } from '../../insights/release.ts';
import { verifyJournal } from '../../journal/verify.ts';
import {
  INSIGHTS_INPUTS_PATH,
  INSIGHTS_PATH,
  JOURNAL_PATH,
  REVIEW_LABELS_PATH,
  REVIEWS_PATH,
} from '../../paths.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { reviewsDataset, type ReviewsDataset } from '../../schema/dataset.ts';
import { insightsInputs } from '../../schema/insights-inputs.ts';
import { insightsDataset } from '../../schema/insights.ts';
import {
  journalDocument,
  journalHead,
  monthChanges,
  type JournalDocument,
  type JournalEntry,
  type JournalHead,
} from '../../schema/journal.ts';
import { changesSince, keepHead, readKept } from './kept-head.ts';
import { verifySigned, type CheckResult } from './verify-signed.ts';

const USAGE = `usage: npm run verify -- <site> [options]
  site                  the address of the site, or the folder of its files
  --save FILE           keep the head of its journal in a file, if nothing differs; the next run
                        with this file shows that nothing was rewritten, and says what changed
  --journal-head HEAD   a head of its journal that you saved: seq:hash, or a journal.json
  --continues DEPLOYED  the site whose journal must be continued, if there is one yet
  --public-key KEYS     also check signature, age and every file of the edition, in each encoding:
                        x of the keys in the site's key file, comma-separated, or a PEM file`;

/**
 * Reads every published review again, derives all that is published about them, checks the journal,
 * and prints each difference; exit status 1 if there is any.
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
  const content = await verifySite(site, saved, kept);
  const parts = [
    ...(keys ? [await verifySigned(site, await readKeys(keys), Date.now())] : []),
    content,
  ];
  const issues = parts.flatMap((part) => part.issues);
  const verified = parts.flatMap((part) => part.verified);
  for (const issue of issues) print(issue);
  if (issues.length > 0) print(`${issues.length} difference${issues.length === 1 ? '' : 's'}`);
  else for (const line of verified) print(line);
  if (save !== undefined && issues.length === 0) print(await keepHead(save, site, content.head));
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

/** @param kept the head to say the changes since */
async function verifySite(
  site: string,
  saved: readonly JournalHead[],
  kept: JournalHead | undefined,
): Promise<CheckResult & { head: JournalHead }> {
  const at = (path: string) => placeOf(site, path);
  const dataset = await load(at(REVIEWS_PATH), reviewsDataset);
  const journal = await load(at(JOURNAL_PATH), journalDocument);
  const changes: JournalEntry[] = [];
  for (const path of journal.months) {
    changes.push(...(await load(at(path), monthChanges)).changes);
  }
  const insights = await load(at(INSIGHTS_PATH), insightsDataset);
  const inputs = await load(at(INSIGHTS_INPUTS_PATH), insightsInputs);
  const labels = await loadText(at(REVIEW_LABELS_PATH));
  return {
    head: { seq: journal.seq, hash: journal.hash },
    issues: [
      ...verifyJournal(journal, changes.toReversed(), dataset, saved),
      ...verifyDeep({ dataset, insights, inputs, labels }),
    ],
    verified: [
      'every review was read again: the insights are the same',
      journalLine(journal, dataset.reviews.length),
      ...(kept ? [changesSince(kept, changes)] : []),
      completeLine(dataset),
      ...changedInputs(inputs, await readRelease()).map(
        (change) => `not the program's own: ${change}`,
      ),
    ],
  };
}

/** Says how many of the known reviews are published, and why others are not. */
function completeLine({ coverage }: ReviewsDataset): string {
  const { excluded, known, published } = coverage;
  const reasons = excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  return `${published} of ${known} known reviews are published${reasons && `; left out: ${reasons}`}`;
}

function journalLine({ seq, hash, complete }: JournalDocument, reviews: number): string {
  if (seq === 0) return 'there is no journal';
  const extent = complete ? `lead to the ${reviews} reviews` : 'do not lead to all reviews';
  return `${seq} changes ${extent}; the head of the journal is ${seq}:${hash}`;
}

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
  return await load(head, journalHead.strip());
}

/** @throws if it cannot be read, or is a document of another kind or version */
async function load<T>(source: string, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(JSON.parse(await loadText(source)));
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  const where = first!.path.join('.') || 'the document';
  const more = others.length > 0 ? `, and ${others.length} more issues` : '';
  throw new Error(
    `${source} is not of the kind and version that this program verifies: ${where}: ${first!.message}${more}`,
  );
}

async function loadText(source: string): Promise<string> {
  return (await readBytes(source)).toString();
}
