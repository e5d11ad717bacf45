import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { placeOf, ReadError, readIfThere } from '../../build/site-files.ts';
import { readRelease } from '../../content/read-pack.ts';
import { areKeys, parsePublicKeys } from '../../edition/signature.ts';
import { isAddress } from '../../edition/untrusted-origin.ts';
import { JOURNAL_PATH } from '../../paths.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { journalHead, type JournalHead } from '../../schema/journal.ts';
import { loadDocument, readPublished } from './published-site.ts';
import { reportChecks } from './site-check.ts';
import { contentChecks } from './verify-content.ts';
import { checkFiles, checkSignature } from './verify-files.ts';

const USAGE = `usage: npm run verify -- <site> [options]
  site                  the address of the site, or the folder of its files
  --journal-head HEAD   a head of its journal that you saved, seq:hash or a journal.json: shows that
                        nothing before it was removed or rewritten
  --continues DEPLOYED  the site whose journal must be continued, if there is one yet
  --public-key KEYS     the keys that may have signed it: x of the keys in a site's key file that you
                        saved, comma-separated, or a PEM file
  --limits N            allow N times as much as usual of a site on the web, which is 32 MB of documents
                        and a minute`;

/**
 * Reads every published review again, derives all that is published about them, checks journal, files
 * and signature, and prints a verdict of six lines and each difference; exit status 1 if there is any.
 */
export const verify: Command = async (args, print) => {
  const { values, positionals } = parseOptions(args, OPTIONS, USAGE);
  const { continues, 'journal-head': head, 'public-key': keys } = values;
  const [site, ...others] = positionals;
  const limits = /^[1-9]\d{0,3}$/.test(values.limits) ? Number(values.limits) : undefined;
  if (!site || others.length > 0 || !limits) throw new UsageError(USAGE);
  const deployed = continues === undefined ? undefined : await deployedHead(continues);
  if (typeof deployed === 'string')
    print(`nothing of ours is deployed at ${continues} yet: ${deployed}`);
  const saved = [
    ...(typeof deployed === 'object' ? [deployed] : []),
    ...(head === undefined ? [] : [await readHead(head)]),
  ];
  if (!isAddress(site) && !existsSync(site))
    throw new UsageError(`${site}: is no folder, and an address begins with https:// or http://`);
  const published = await readPublished(site, limits);
  const checks = [
    ...contentChecks(published, await readRelease(), saved),
    await checkFiles(site, published.manifestBytes, limits),
    await checkSignature(
      site,
      published.manifestBytes,
      keys ? await readKeys(keys) : undefined,
      Date.now(),
    ),
  ];
  return reportChecks(checks, print);
};

const OPTIONS = {
  allowPositionals: true,
  options: {
    'journal-head': { type: 'string' },
    continues: { type: 'string' },
    'public-key': { type: 'string' },
    limits: { type: 'string', default: '1' },
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
    // Nobody answers, or a proxy answers for a server that does not exist.
    if (error instanceof ReadError && (status === undefined || status === 502)) return message;
    throw error;
  }
}

async function readKeys(keys: string): Promise<KeyObject[]> {
  return parsePublicKeys(areKeys(keys) ? keys : await readFile(keys, 'utf8'));
}

async function readHead(head: string): Promise<JournalHead> {
  const match = /^(\d+):([0-9a-f]{64})$/.exec(head);
  if (match) return { seq: Number(match[1]), hash: match[2]! };
  return await loadDocument(head, journalHead.strip());
}
