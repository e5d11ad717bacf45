import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The one Last-Modified of an edition, in seconds since 1970: SOURCE_DATE_EPOCH
 * (https://reproducible-builds.org/specs/source-date-epoch/), else the time of the last commit when
 * the sources are clean, else the newest change of a source file. It moves whenever bytes can.
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
  const committed = contentDir.startsWith(root) ? await commitTime(root) : undefined;
  return committed ?? (await newestChange([contentDir, join(root, 'src')]));
}

async function commitTime(root: string): Promise<number | undefined> {
  try {
    const { stdout: changes } = await run('git', ['status', '--porcelain', '--', '.'], {
      cwd: root,
    });
    if (changes.trim() !== '') return undefined;
    const { stdout: time } = await run('git', ['log', '-1', '--format=%ct', '--', '.'], {
      cwd: root,
    });
    return time.trim() === '' ? undefined : Number(time);
  } catch {
    return undefined; // no git, or not a checkout: the files themselves tell
  }
}

async function newestChange(sources: readonly string[]): Promise<number> {
  let newest = 0;
  for (const source of sources) {
    const entries = ['.', ...(await readdir(source, { recursive: true }))];
    for (const entry of entries) {
      const { mtimeMs } = await stat(join(source, entry));
      newest = Math.max(newest, Math.floor(mtimeMs / 1000));
    }
  }
  return newest;
}
