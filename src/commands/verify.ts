import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { CACHE_REVALIDATED } from '../http.ts';
import { parsePublicKeys } from '../edition/signature.ts';
import { verifyDeep } from '../insights/check-published.ts';
import { verifyInsights } from '../insights/verify.ts';
import { verifyJournal } from '../journal/verify.ts';
import {
  INSIGHTS_INPUTS_PATH,
  INSIGHTS_PATH,
  JOURNAL_PATH,
  REVIEW_LABELS_PATH,
  REVIEWS_PATH,
} from '../paths.ts';
import { parseOptions, UsageError, type Command } from '../run-command.ts';
import { reviewsDataset } from '../schema/dataset.ts';
import { insightsInputs } from '../schema/insights-inputs.ts';
import { insightsDataset } from '../schema/insights.ts';
import {
  journalDocument,
  journalHead,
  monthChanges,
  type JournalDocument,
  type JournalEntry,
  type JournalHead,
} from '../schema/journal.ts';
import { placeOf, readBytes, type CheckResult } from './site-files.ts';
import { verifySigned } from './verify-signed.ts';

const USAGE = `usage: npm run verify -- <reviews.json> <insights.json> (files or URLs)
       npm run verify -- --deep <site> [--journal-head HEAD]
       npm run verify -- --journal <site> [--journal-head HEAD | --continues DEPLOYED]
       npm run verify -- --public-key KEYS <site>: signature, age and every file of the edition
  site  the origin of the site, or the folder of its files
  KEYS  x of the keys in the site's key file, comma-separated, or a PEM file
  DEPLOYED
        the site whose journal must be continued, if there is one yet
  HEAD  a head of its journal that you saved: seq:hash, or a journal.json (file or URL)`;

/**
 * Derives insights.json again and prints each difference; exit status 1 if there is any. `--deep`
 * also reads every review again with the published inputs, and checks the journal.
 */
export const verify: Command = async (args, print) => {
  const { values, positionals } = parse(args);
  const { deep, journal, continues, 'journal-head': head, 'public-key': keys } = values;
  if (positionals.length !== (deep || journal || keys ? 1 : 2)) throw new UsageError(USAGE);
  const [site, insights] = positionals as [string, string];
  const parts: CheckResult[] = [];
  if (keys) parts.push(await verifySigned(site, await readKeys(keys), Date.now()));
  if (deep || journal) {
    const saved =
      head === undefined ? continues && (await deployedHead(continues)) : await readHead(head);
    if (continues && !saved) print(`nothing is deployed at ${continues} yet`);
    parts.push(await verifySite(site, { deep, saved: saved || undefined }));
  }
  if (parts.length === 0) parts.push(await recount(site, insights));
  const issues = parts.flatMap((part) => part.issues);
  const verified = parts.flatMap((part) => part.verified);
  for (const issue of issues) print(issue);
  if (issues.length > 0) print(`${issues.length} difference${issues.length === 1 ? '' : 's'}`);
  else for (const line of verified) print(line);
  return issues.length === 0 ? 0 : 1;
};

function parse(args: readonly string[]) {
  return parseOptions(
    args,
    {
      allowPositionals: true,
      options: {
        deep: { type: 'boolean', default: false },
        journal: { type: 'boolean', default: false },
        'journal-head': { type: 'string' },
        continues: { type: 'string' },
        'public-key': { type: 'string' },
      },
    },
    USAGE,
  );
}

async function recount(reviews: string, insights: string): Promise<CheckResult> {
  const dataset = await load(reviews, reviewsDataset);
  return {
    issues: verifyInsights(dataset, await load(insights, insightsDataset)),
    verified: ['every count and quote holds; --deep also reads the reviews again'],
  };
}

async function verifySite(
  site: string,
  { deep, saved }: { deep: boolean; saved: JournalHead | undefined },
): Promise<CheckResult> {
  const at = (path: string) => placeOf(site, path);
  const dataset = await load(at(REVIEWS_PATH), reviewsDataset);
  const journal = await load(at(JOURNAL_PATH), journalDocument);
  const changes: JournalEntry[] = [];
  for (const path of journal.months) {
    changes.push(...(await load(at(path), monthChanges)).changes);
  }
  const issues = verifyJournal(journal, changes.toReversed(), dataset, saved);
  const verified = [journalLine(journal, dataset.reviews.length)];
  if (!deep) return { issues, verified };
  const insights = await load(at(INSIGHTS_PATH), insightsDataset);
  const inputs = await load(at(INSIGHTS_INPUTS_PATH), insightsInputs);
  const labels = await loadText(at(REVIEW_LABELS_PATH));
  return {
    issues: [...verifyDeep({ dataset, insights, inputs, labels }), ...issues],
    verified: ['every review was read again: the insights are the same', ...verified],
  };
}

function journalLine({ seq, hash, complete }: JournalDocument, reviews: number): string {
  if (seq === 0) return 'there is no journal';
  const extent = complete ? `lead to the ${reviews} reviews` : 'do not lead to all reviews';
  return `${seq} changes ${extent}; the head of the journal is ${seq}:${hash}`;
}

/** Returns the head of a deployed journal; undefined if there is no site or no journal yet. */
async function deployedHead(site: string): Promise<JournalHead | undefined> {
  const address = placeOf(site, JOURNAL_PATH);
  const response = await fetch(address, { headers: { 'cache-control': CACHE_REVALIDATED } }).catch(
    (error: Error & { cause?: NodeJS.ErrnoException }) => {
      if (error.cause?.code === 'ENOTFOUND') return undefined;
      throw new Error(`${address} cannot be reached: ${error.cause?.message ?? error.message}`);
    },
  );
  if (response === undefined || response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return journalHead.strip().parse(await response.json());
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
