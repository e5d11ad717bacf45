import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readContent } from '../content/read-content.ts';

const run = promisify(execFile);
/** Maximum output of git in bytes: the lines of one review in all versions of all files. */
const MAX_BYTES = 256_000_000;

const GET_TOOL =
  'git filter-repo is not installed: apt-get install git-filter-repo, brew install git-filter-repo ' +
  'or pip install git-filter-repo';

/** The lines with the id of a review, in all versions of all files. */
interface RewrittenLines {
  removed: string[];
  kept: string[];
}

/**
 * Rewrites the history of a dataset in a copy of its repository; the repository itself is only read. The
 * newest version of every file must stay the same, which is checked.
 *
 * @param expressions lines for git-filter-repo
 * @param copy a folder that does not exist yet
 * @throws if something is not committed, the tool is missing, or the copy is not as it should be
 */
export async function rewriteHistory(
  contentDir: string,
  id: string,
  expressions: readonly string[],
  copy: string,
): Promise<RewrittenLines> {
  if (existsSync(copy)) throw new Error(`${copy} exists: name a new folder for the copy`);
  const git = gitIn(contentDir);
  const prefix = await named(
    git('rev-parse', '--show-prefix'),
    `${contentDir} is in no repository`,
  );
  if ((await git('status', '--porcelain', '--', '.')) !== '') {
    throw new Error(`${contentDir} is not as in its last commit: commit it, and do this again`);
  }
  await named(git('filter-repo', '--version'), GET_TOOL);
  const root = await git('rev-parse', '--show-toplevel');
  await git('clone', '--quiet', '--no-local', root, copy);
  const inCopy = gitIn(copy);
  const before = await linesWith(id, inCopy);
  const file = join(copy, '.git', 'erased-lines');
  await writeFile(file, `${expressions.join('\n')}\n`);
  await inCopy('filter-repo', '--quiet', '--replace-text', file);
  const after = await linesWith(id, inCopy);
  const copied = join(copy, prefix);
  const newest = ['rev-parse', 'HEAD:./'] as const;
  if ((await git(...newest)) !== (await gitIn(copied)(...newest))) {
    throw new Error(`${copied}: the newest files differ from ${contentDir}`);
  }
  await readContent(copied);
  return { removed: [...before.difference(after)], kept: [...after] };
}

/** Returns a function that runs git in a folder and returns what it prints. */
function gitIn(folder: string) {
  return async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', args, { cwd: folder, maxBuffer: MAX_BYTES });
    return stdout.trim();
  };
}

async function named<T>(result: Promise<T>, message: string): Promise<T> {
  return result.catch((cause: unknown) => {
    throw new Error(message, { cause });
  });
}

async function linesWith(id: string, git: ReturnType<typeof gitIn>): Promise<Set<string>> {
  const commits = (await git('rev-list', '--all')).split('\n');
  const lines = await git('grep', '-hF', '-e', id, ...commits).catch(
    (error: { code?: unknown }) => {
      if (error.code === 1) return ''; // no line has it
      throw error;
    },
  );
  return new Set(lines.split('\n').filter((line) => line !== ''));
}
