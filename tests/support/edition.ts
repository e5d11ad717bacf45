import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonLogger, type Level } from '../../sidecar/base/log.ts';
import { MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import { writeContent, type Changes } from './content-folder.ts';
import { DATASET, folderOfProcess } from './fixtures.ts';
import { run } from './run.ts';
import type { LogLine } from './sidecar-process.ts';

/** The time of every edition that tests build, so that they are comparable. */
export const TEST_TIME = '1767225600';

export const silent = jsonLogger('error', (line) => process.stderr.write(line));

/** For errors that a test makes. */
export const quiet = jsonLogger('error', () => {});

/** Returns a logger from this level on, and its lines. */
export function recorder(least: Level) {
  const lines: LogLine[] = [];
  const logger = jsonLogger(least, (line) => lines.push(JSON.parse(line) as LogLine));
  return { logger, lines };
}

/** Builds the test dataset, or the one that `env` names, with the real command. */
export async function buildEdition(
  outDir: string,
  env: Record<string, string> = {},
): Promise<{ client: string; output: string }> {
  const command = ['src/build/main.ts', '--outDir', outDir];
  const { stdout, stderr } = await run(process.execPath, command, { ...TEST_BUILD, ...env });
  return { client: join(outDir, 'client'), output: stdout + stderr };
}

/** Settings of every build of a test. */
export const TEST_BUILD = {
  CONTENT_DIR: DATASET,
  SOURCE_DATE_EPOCH: TEST_TIME,
  HUB_URL: 'http://127.0.0.1:9/', // the discard port: no ping leaves the machine
};

const buildSample = builtOnce({});

/** The sample edition: the one `npm test` built, or one built now. */
export async function sampleEdition(): Promise<string> {
  return process.env.TEST_EDITION || (await buildSample()).client;
}

/**
 * Returns a function that builds an edition once in a process, which removes it when it ends.
 *
 * @param changes to the small valid content, or to another folder; without them, it is of the test dataset
 */
export function builtOnce(
  env: Record<string, string>,
  changes?: Changes,
  from?: string,
): () => Promise<{ client: string; output: string }> {
  let built: ReturnType<typeof buildEdition> | undefined;
  const build = async () => {
    const folder = await folderOfProcess();
    const content = join(folder, 'content');
    if (changes) await writeContent(content, changes, from);
    return buildEdition(join(folder, 'dist'), { ...(changes && { CONTENT_DIR: content }), ...env });
  };
  return () => (built ??= build());
}

/** Reads every file below a folder, by path. */
export async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const bytes = await Promise.all(files.map((file) => readFile(file)));
  return new Map(files.map((file, at) => [file.slice(folder.length + 1), bytes[at]!]));
}

/** Reads a document of an edition. */
export async function readJson<T>(client: string, file: string): Promise<T> {
  return JSON.parse(await readFile(join(client, file), 'utf8')) as T;
}

export function readDataset(client: string): Promise<ReviewsDataset> {
  return readJson(client, 'reviews.json');
}

/** Reads all of an edition that a search or a count depends on. */
export async function readPublished(client: string) {
  const { reviews } = await readDataset(client);
  const { names } = await readJson<Manifest>(client, MANIFEST_FILE);
  const { per_review: perReview } = await readJson<InsightsDataset>(client, 'insights.json');
  return { reviews, names, perReview };
}
