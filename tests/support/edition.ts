import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jsonLogger } from '../../sidecar/base/log.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { DATASET, ROOT } from './fixtures.ts';

const run = promisify(execFile);

/** The time of every edition that tests build, so that they are comparable. */
export const TEST_TIME = '1767225600';

export const silent = jsonLogger('error', (line) => process.stderr.write(line));

/** Builds the test dataset, or the one that `env` names, with the real command. */
export async function buildEdition(
  outDir: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<{ client: string; output: string }> {
  const { stdout, stderr } = await run(
    process.execPath,
    ['src/build/main.ts', '--outDir', outDir, ...args],
    {
      cwd: ROOT,
      env: { ...process.env, ...TEST_BUILD, ...env },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return { client: join(outDir, 'client'), output: stdout + stderr };
}

const TEST_BUILD = {
  CONTENT_DIR: DATASET,
  SOURCE_DATE_EPOCH: TEST_TIME,
  HUB_URL: 'http://127.0.0.1:9/', // the discard port: no ping leaves the machine
};

let sample: Promise<string> | undefined;

/** The sample edition: the one `npm test` built, or one built now, once in a process. */
export async function sampleEdition(): Promise<string> {
  return process.env.TEST_EDITION || (sample ??= buildSample());
}

async function buildSample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-edition-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return (await buildEdition(folder)).client;
}

export async function readDataset(client: string): Promise<ReviewsDataset> {
  return JSON.parse(await readFile(join(client, 'reviews.json'), 'utf8')) as ReviewsDataset;
}
