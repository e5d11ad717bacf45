import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The project's root. */
export const ROOT = join(import.meta.dirname, '../..');

/** The dataset of the tests: realistic, and independent of the owner's `content/`. */
export const DATASET = join(ROOT, 'tests/fixtures/dataset');
/** A JPEG of 1024 × 512 pixels that its EXIF turns, with the name of its photographer. */
export const COVER = join(ROOT, 'tests/fixtures/cover.jpg');

/** Makes a folder that is removed when the process ends, for what its tests share. */
export async function folderOfProcess(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-shared-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder that is removed when the test ends. */
export async function temporaryFolder(context: {
  after: (remove: () => Promise<void>) => void;
}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-test-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
