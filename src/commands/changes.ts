import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildPublication } from '../build/publication.ts';
import { readContent } from '../content/read-content.ts';
import { UsageError, type Command } from '../run-command.ts';
import { reviewsDataset } from '../schema/dataset.ts';
import { changesAsMarkdown, type Snapshot } from './change-report.ts';

const USAGE = 'usage: npm run changes -- <old> [new]: a reviews.json, a commit or a content folder';
const run = promisify(execFile);
/** Links do not count as changes, so any origin will do. */
const ORIGIN = 'http://localhost';

/** Prints the differences between two datasets as a comment for a pull request. */
export const changes: Command = async ([before, after = 'content'], print) => {
  if (!before) throw new UsageError(USAGE);
  print(changesAsMarkdown(await loadSnapshot(before), await loadSnapshot(after)));
};

/**
 * Loads a dataset by the name of a reviews.json, a content folder, or a commit that has `content/`.
 *
 * @throws in one line when it is none of these
 */
async function loadSnapshot(name: string): Promise<Snapshot> {
  if (name.endsWith('.json')) {
    return reviewsDataset.parse(JSON.parse(await readFile(name, 'utf8')));
  }
  if (/^[./]|^content$/.test(name)) return publish(resolve(name));
  if (!/^[\w][\w./~^@{}-]*$/.test(name)) throw new Error(`${name} is not the name of a commit`);
  return atCommit(name);
}

async function publish(folder: string): Promise<Snapshot> {
  return buildPublication(await readContent(folder), ORIGIN).dataset;
}

async function atCommit(ref: string): Promise<Snapshot> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-changes-'));
  const archive = join(folder, 'content.tar');
  try {
    await run('git', ['archive', '--format=tar', `--output=${archive}`, ref, '--', 'content']);
    await run('tar', ['-xf', archive, '-C', folder]);
    return await publish(join(folder, 'content'));
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`${ref}: ${(stderr || message).trim()}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
