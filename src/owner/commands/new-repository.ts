import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const TEMPLATES = join(import.meta.dirname, '../repository');

/** Tells the owner of a repository without a lock file how to get one. */
export const NO_LOCK_FILE =
  'Its workflows need a package-lock.json: in that folder, run npm install with the address of the ' +
  'package, which the notes of its release name with its digest';

/**
 * Writes what makes a folder with a dataset a repository of its own: workflows that publish and sync,
 * and a page for its owner. Files that are there stay. The workflows install what its lock file names,
 * which npm writes when the program is installed there.
 *
 * @param folder the folder that has `content`
 * @param name of the business
 * @returns the files written, by their path in the folder
 */
export async function writeRepository(folder: string, name: string): Promise<string[]> {
  const template = (file: string) => readFile(join(TEMPLATES, file), 'utf8');
  const files: [path: string, text: string][] = [
    ['.gitignore', await template('gitignore')],
    ['README.md', (await template('README.md')).replaceAll('NAME', name)],
    ['.github/workflows/publish.yml', await template('publish.yml')],
    ['.github/workflows/sync.yml', await template('sync.yml')],
  ];
  const missing = files.filter(([path]) => !existsSync(join(folder, path)));
  for (const [path, text] of missing) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return missing.map(([path]) => path);
}
