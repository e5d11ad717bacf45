import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What an edition is made of besides its content. */
const PARTS = ['src', 'public', 'astro.config.mjs', 'package.json', 'package-lock.json'];

/**
 * The one Last-Modified of an edition, in seconds since 1970: SOURCE_DATE_EPOCH
 * (https://reproducible-builds.org/specs/source-date-epoch/), else the time of the last commit when
 * the sources are as committed, else the newest change of a source file. It moves whenever
 * a file does that bytes can come from; settings, SITE_URL among them, do not move it.
 *
 * @param root the project; commits speak only for content that lies in it
 * @throws when SOURCE_DATE_EPOCH is set but is not a number of seconds
 */
export async function editionTime(
  root: string,
  contentDir: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const epoch = env.SOURCE_DATE_EPOCH;
  if (epoch !== undefined && epoch !== '') {
    if (!/^\d{1,11}$/.test(epoch)) throw new Error('SOURCE_DATE_EPOCH: must be seconds since 1970');
    return Number(epoch);
  }
  const sources = [contentDir, ...PARTS.map((part) => join(root, part))];
  const committed = contentDir.startsWith(root) ? await commitTime(root, sources) : undefined;
  return committed ?? (await newestChange(sources));
}

async function commitTime(root: string, sources: readonly string[]): Promise<number | undefined> {
  const git = (...args: string[]) => run('git', args, { cwd: root });
  try {
    const { stdout: changes } = await git('status', '--porcelain', '--ignored', '--', ...sources);
    if (changes.trim() !== '') return undefined;
    const { stdout: time } = await git('log', '-1', '--format=%ct');
    return Number(time);
  } catch {
    return undefined; // no git, or not a checkout: the files themselves tell
  }
}

async function newestChange(sources: readonly string[]): Promise<number> {
  let newest = 0;
  for (const source of sources) {
    for (const path of await pathsAt(source)) {
      const { mtimeMs } = await stat(path);
      newest = Math.max(newest, Math.floor(mtimeMs / 1000));
    }
  }
  return newest;
}

/** A file alone, or a folder with all that is below it; nothing when there is neither. */
async function pathsAt(source: string): Promise<string[]> {
  const stats = await stat(source, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [source];
  const below = await readdir(source, { recursive: true });
  return [source, ...below.map((entry) => join(source, entry))];
}
