import { manifest as manifestOf, MANIFEST_FILE } from '../../edition/manifest.ts';
import { eachConcurrently } from '../../base/each-concurrently.ts';
import { isAddress } from '../../edition/untrusted-origin.ts';
import { placeOf, readBytes, type ReadError } from '../../build/site-files.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { questionsFor, type SiteAnswer, type SiteQuestion } from './doctor-questions.ts';
import { waitUntilServed } from './ping.ts';
import { reportChecks } from './site-check.ts';
import { checkSignature } from './verify-files.ts';
import { parseUntrusted } from './untrusted-json.ts';

const USAGE = `usage: npm run reviews -- doctor <address> [--edition <folder> [--wait <seconds>]]
Asks a live site what visitors, feed readers, other sites, assistants and subscribers ask, and says what is
wrong; exit status 1 if anything is. With the folder of an edition it first waits (300) until that is served.`;

const ASK_MS = 20_000;
const AT_ONCE = 6;
const SHOWN_PATHS = 3;
const LARGEST_ANSWER = 8 * 1024 * 1024;

/** Asks a live site what its visitors and programs will ask. */
export const doctor: Command = async (args, print) => {
  const options = {
    edition: { type: 'string' },
    wait: { type: 'string', default: '300' },
  } as const;
  const { values, positionals } = parseOptions(args, { allowPositionals: true, options }, USAGE);
  const { edition: folder, wait } = values;
  const [address = '', ...others] = positionals;
  if (!isAddress(address) || others.length > 0 || !/^\d{1,5}$/.test(wait))
    throw new UsageError(USAGE);
  const site = address.replace(/\/+$/, '');
  const newest = folder === undefined ? [] : await waitFor(folder, site, Number(wait));
  const bytes = await readBytes(placeOf(site, MANIFEST_FILE)).catch((error: ReadError) => {
    const isBelow = error.status === 404 && new URL(site).pathname !== '/';
    if (isBelow) error.message += ': does the front take the path off, before it asks the sidecar?';
    throw error;
  });
  const manifest = manifestOf.parse(parseUntrusted(bytes));
  const { base_url: baseUrl, last_modified: modified } = manifest;
  const elsewhere = `its links lead to ${baseUrl}: build with SITE_URL=${site}`;
  const asked: Asked[] = [];
  await eachConcurrently(questionsFor(manifest), AT_ONCE, async (question) => {
    asked.push(...(await ask(site, question)));
  });
  return reportChecks(
    [
      {
        of: 'edition',
        issues: [...newest, ...(baseUrl === site ? [] : [elsewhere])],
        verified: `${manifest.edition} of ${modified.slice(0, 10)}, whose links lead here`,
      },
      ...[...Map.groupBy(asked, ({ by }) => by)].map(([by, asked]) => ({
        of: by,
        issues: issuesOf(asked),
        verified: `${asked.length} ${asked.length === 1 ? 'question' : 'questions'} answered`,
      })),
      await checkSignature(site, bytes, undefined, Date.now()),
    ],
    print,
    'issue',
  );
};

async function waitFor(folder: string, site: string, seconds: number): Promise<string[]> {
  return waitUntilServed(folder, site, seconds).then(
    () => [],
    (error: Error) => [error.message],
  );
}

interface Asked {
  by: SiteQuestion['by'];
  path: string;
  issue: string | undefined;
}

/** Says each issue once, with some of the paths that have it. */
function issuesOf(asked: readonly Asked[]): string[] {
  const wrong = asked.flatMap(({ issue, path }) => (issue ? [{ issue, path }] : []));
  return [...Map.groupBy(wrong, ({ issue }) => issue)].map(([issue, all]) => {
    const paths = [...new Set(all.map(({ path }) => path))].sort();
    const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : '';
    const named = paths.slice(0, SHOWN_PATHS).join(', ') + more;
    return paths.length === 1 ? `${named} ${issue}` : `${named}: ${issue}`;
  });
}

/** Asks a question, and those that follow it. */
async function ask(site: string, { by, path, init, check, next }: SiteQuestion): Promise<Asked[]> {
  const answer = await answerTo(placeOf(site, path), init);
  const issue = typeof answer === 'string' ? answer : check(answer);
  const more = issue === undefined ? next?.(answer as SiteAnswer) : undefined;
  return [{ by, path, issue }, ...(more ? await ask(site, more) : [])];
}

/** Returns what an address answers, or why it does not. Redirects are answers. */
async function answerTo(address: string, init?: RequestInit): Promise<SiteAnswer | string> {
  try {
    const signal = AbortSignal.timeout(ASK_MS);
    const response = await fetch(address, { redirect: 'manual', signal, ...init });
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      if ((length += chunk.length) > LARGEST_ANSWER) return 'answers without an end';
    }
    return { status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    return `does not answer: ${cause?.message || message}`;
  }
}
