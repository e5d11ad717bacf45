import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test as testWith, type TestContext } from 'node:test';
import { record as recordCommand } from '../../src/owner/commands/record.ts';
import {
  importFiles,
  type ImportOptions,
  type ImportResult,
} from '../../src/owner/import/import-files.ts';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { ROOT, temporaryFolder } from './fixtures.ts';
import { runHere } from './run-here.ts';

export const EXPORTS = join(ROOT, 'tests/fixtures/import');
/** The salt of every review that tests import. */
export const SALT = '5a17'.repeat(8);
export const NOW = '2026-03-01T12:00:00Z';

/** A dataset without reviews, and imports into it. */
export class Dataset {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Imports fixtures by name, or files by their path. */
  run(files: readonly string[], options: Partial<ImportOptions> = {}): Promise<ImportResult> {
    const paths = files.map((file) => (file.startsWith('/') ? file : join(EXPORTS, file)));
    return importFiles(paths, { contentDir: this.folder, now: NOW, salt: () => SALT, ...options });
  }

  /** Imports text, or bytes, as a file of this name. */
  runText(
    name: string,
    content: string | Uint8Array,
    options: Partial<ImportOptions> = {},
  ): Promise<ImportResult> {
    return this.runTexts([[name, content]], options);
  }

  /** Imports texts, or bytes, as files of their names, all in one import. */
  async runTexts(
    texts: readonly (readonly [name: string, content: string | Uint8Array])[],
    options: Partial<ImportOptions> = {},
  ): Promise<ImportResult> {
    const paths = texts.map(([name]) => join(this.folder, '..', name));
    for (const [at, [, content]] of texts.entries()) await writeFile(paths[at]!, content);
    return this.run(paths, options);
  }

  /** Runs `npm run reviews -- record`, and returns what it prints. */
  async record(...args: string[]): Promise<string> {
    const { output, error } = await runHere(recordCommand, this.folder, args);
    if (error) throw error;
    return output;
  }

  /** Every record, in the order of the files. */
  async records(): Promise<ReviewRecord[]> {
    const files = await this.files();
    return Object.keys(files)
      .filter((name) => name.startsWith('reviews/'))
      .flatMap((name) => files[name]!.trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as ReviewRecord);
  }

  /** A field of every record, in the order of the files. */
  async column(field: keyof ReviewRecord): Promise<unknown[]> {
    return (await this.records()).map((record) => record[field]);
  }

  /** Some fields of every record, in the order of the files. */
  async values(...fields: (keyof ReviewRecord)[]): Promise<unknown[][]> {
    return (await this.records()).map((record) => fields.map((field) => record[field]));
  }

  /** Every file by its path, so that two states can be compared. */
  async files(): Promise<Record<string, string>> {
    const names = (await readdir(this.folder, { recursive: true })).sort();
    const found: Record<string, string> = {};
    for (const name of names) {
      if (/\w\.\w+$/.test(name)) found[name] = await readFile(join(this.folder, name), 'utf8');
    }
    return found;
  }

  /** Writes a file by hand. */
  async add(name: string, text: string): Promise<void> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** Changes a file by hand. */
  async edit(name: string, change: (text: string) => string): Promise<void> {
    const path = join(this.folder, name);
    await writeFile(path, change(await readFile(path, 'utf8')));
  }
}

/** An empty dataset; gone when the test is. */
export async function emptyDataset(context: TestContext, business = {}): Promise<Dataset> {
  const folder = join(await temporaryFolder(context), 'content');
  await mkdir(folder);
  const record = { name: 'Fenwick Drains', category: 'drain cleaning', ...business };
  await writeFile(join(folder, 'business.json'), `${JSON.stringify(record)}\n`);
  return new Dataset(folder);
}

/** Runs a test with an empty dataset. */
export function test(
  name: string,
  run: (dataset: Dataset, context: TestContext) => void | Promise<void>,
): void {
  void testWith(name, async (context) => run(await emptyDataset(context), context));
}
