import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const TEMPLATES = join(import.meta.dirname, '../repository');
const PROGRAM = join(import.meta.dirname, '../../../package.json');

/** Files of a build and a run beside a dataset. */
const GITIGNORE = 'node_modules/\ndist/\n.data/\n';

/**
 * Writes what makes a folder with a dataset a repository of its own: workflows that publish and sync,
 * the program as its one dependency, and a page for its owner. Files that are there stay.
 *
 * @param folder the folder that has `content`
 * @param name of the business
 * @returns the files written, by their path in the folder
 */
export async function writeRepository(folder: string, name: string): Promise<string[]> {
  const template = (file: string) => readFile(join(TEMPLATES, file), 'utf8');
  const files: [path: string, text: string][] = [
    ['package.json', await packageJson()],
    ['.gitignore', GITIGNORE],
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

/** Returns the manifest of a repository that depends on this release of the program. */
async function packageJson(): Promise<string> {
  const { allowScripts, version } = JSON.parse(await readFile(PROGRAM, 'utf8')) as {
    allowScripts: object;
    version: string;
  };
  const manifest = { private: true, allowScripts, dependencies: { 'reviews-service': version } };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
