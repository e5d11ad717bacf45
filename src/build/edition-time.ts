import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The parts of the program that an edition is made from, besides its content. */
const PARTS = ['src', 'public', 'astro.config.mjs', 'package.json', 'package-lock.json'];

/**
 * Returns the Last-Modified of an edition, in seconds since 1970: SOURCE_DATE_EPOCH
 * (https://reproducible-builds.org/specs/source-date-epoch/); else, if all sources are committed,
 * the time of the last commit, the later one if content has a repository of its own; else the
 * newest change of a source file. Every source file moves it; settings such as SITE_URL do not.
 *
 * @param root the folder of the program
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
  const parts = PARTS.map((part) => join(root, part));
  const program = await commitTime(root, parts, env);
  const content = await commitTime(contentDir, [contentDir], env);
  if (program !== undefined && content !== undefined) return Math.max(program, content);
  return newestChange([contentDir, ...parts]);
}

/** Returns the time of the checked-out commit, or undefined if sources differ from it. */
async function commitTime(
  folder: string,
  sources: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const git = (...args: string[]) => run('git', args, { cwd: folder, env });
  try {
    const { stdout: changes } = await git('status', '--porcelain', '--ignored', '--', ...sources);
    if (changes.trim() !== '') return undefined;
    const { stdout: time } = await git('log', '-1', '--format=%ct');
    return Number(time);
  } catch {
    return undefined; // no git, or not a checkout
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
