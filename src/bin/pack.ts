import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Files of the package; tests and the sample are not in it. */
const FILES = `CHANGELOG.md LICENSE NOTICE README.md SECURITY.md astro.config.mjs content/README.md
  tsconfig.json`.split(/\s+/);
const FOLDERS = ['.github', 'public', 'sidecar', 'src'];
/** Packages that only tests, checks and the people who write the program need. */
const ONLY_HERE =
  /^(@types\/|@astrojs\/check|@modelcontextprotocol\/conformance|@seriousme|ajv|axe-core|fast-check|feedsmith|html-validate|oxfmt|oxlint|playwright|typescript(-7)?$|vader-sentiment)/;

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: object;
  [field: string]: unknown;
}

/**
 * Packs the program as an npm package with a command. In the repository, what a build needs is a
 * development dependency, so that the image of the sidecar is small; the package depends on it. It stays
 * private, because it is the file of a release: nobody owns its name in the registry.
 *
 * @param program the folder of the repository
 * @param target the folder that the archive goes to
 * @returns the path of the archive
 */
export function packProgram(program: string, target: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'reviews-package-'));
  try {
    for (const name of [...FILES, ...FOLDERS]) {
      cpSync(join(program, name), join(folder, name), { recursive: true });
    }
    const manifest = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as Manifest;
    writeFileSync(join(folder, 'package.json'), JSON.stringify(packaged(manifest), null, 2));
    const args = ['pack', '--json', '--pack-destination', resolve(target)];
    const output = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });
    const [{ filename }] = JSON.parse(output) as [{ filename: string }];
    return join(resolve(target), filename);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function packaged(manifest: Manifest): object {
  const { dependencies, devDependencies, scripts: _, ...rest } = manifest;
  const built = Object.entries(devDependencies).filter(([name]) => !ONLY_HERE.test(name));
  return {
    ...rest,
    engines: { node: '>=20' }, // the program itself runs on the pinned one
    bin: { 'reviews-service': 'src/bin/reviews-service.js' },
    files: [...FILES, ...FOLDERS],
    dependencies: { ...dependencies, ...Object.fromEntries(built) },
  };
}
