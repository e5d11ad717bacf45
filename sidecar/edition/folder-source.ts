import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MANIFEST_FILE, pathInside } from '../../src/edition/manifest.ts';
import { IncompleteEditionError } from './incomplete-edition-error.ts';
import type { EditionFile, EditionSource, ManifestRead } from './source.ts';

/** An edition in a folder, which a build replaces or an upload writes into. */
export class FolderSource implements EditionSource {
  readonly name: string;
  readonly remote = false;

  constructor(folder: string) {
    this.name = resolve(folder);
  }

  async readManifest(knownVersion: string | undefined): Promise<ManifestRead | undefined> {
    const path = join(this.name, MANIFEST_FILE);
    try {
      const { ino, mtimeMs, size } = await stat(path);
      const version = `${ino} ${mtimeMs} ${size}`;
      return version === knownVersion ? undefined : { bytes: await readFile(path), version };
    } catch (error) {
      throw new IncompleteEditionError(
        `${this.name} holds no ${MANIFEST_FILE}: run npm run build`,
        { cause: error },
      );
    }
  }

  async read({ file }: EditionFile): Promise<Buffer> {
    const path = pathInside(this.name, file);
    try {
      return await readFile(path);
    } catch (error) {
      throw new IncompleteEditionError(`${path} cannot be read`, { cause: error });
    }
  }
}
