import { readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INSIGHTS_DIGEST_PATH } from '../../src/paths.ts';
import { changeManifest, copyPart, describeText, putFile, smallEdition } from './edition-folder.ts';

const MARK = /<!-- version (\d+) -->$/;

/** Marks the text of each topic with a version. */
const MARKED: Record<string, (text: string, version: number) => string> = {
  '/feed.xml': (text, version) => `${text}<!-- version ${version} -->`,
  '/api/feed.json': (text, version) => text.replace('{', `{"_version":${version},`),
  '/reviews.json': (text, version) =>
    text.replace(/"edition":"[^"]+"/, `"edition":"${String(version).padStart(16, '0')}"`),
  '/changes.json': (text, version) => text.replace('{', `{"_version":${version},`),
};

/** A modifiable folder with the sample edition's topics and the files that a start needs. */
export class SlimEdition {
  readonly folder: string;
  #site = '';
  readonly #texts = new Map<string, string>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @param everyKind adds files of each kind that the sample edition has */
  static async create(folder: string, everyKind = false): Promise<SlimEdition> {
    const edition = new SlimEdition(folder);
    const small = await smallEdition();
    await copyPart(small, folder, (manifest) => {
      edition.#site = manifest.base_url;
      if (everyKind) return;
      manifest.since = null;
      manifest.resources = manifest.resources.filter(
        ({ path }) => Object.hasOwn(MARKED, path) || path === INSIGHTS_DIGEST_PATH,
      );
    });
    for (const path of Object.keys(MARKED)) {
      edition.#texts.set(path, await readFile(join(small, path), 'utf8'));
    }
    if (everyKind) await symlink(join(dirname(small), 'server'), join(folder, '../server'));
    await edition.put(0, Object.keys(MARKED));
    return edition;
  }

  /** The URL of a topic. */
  topic(path = '/feed.xml'): string {
    return this.#site + path;
  }

  /** Replaces topics with those of a version, like an upload, the manifest last. */
  async put(version: number, paths: readonly string[] = ['/feed.xml']): Promise<void> {
    const texts = paths.map((path) => MARKED[path]!(this.#texts.get(path)!, version));
    for (const [at, path] of paths.entries()) await putFile(this.folder, path, texts[at]!);
    await changeManifest(this.folder, (manifest) => {
      for (const [at, path] of paths.entries()) describeText(manifest, path.slice(1), texts[at]!);
      const time = Date.parse(manifest.last_modified) + 1000;
      manifest.last_modified = `${new Date(time).toISOString().slice(0, 19)}Z`;
    });
  }

  /**
   * Returns the version of a delivered feed.
   *
   * @throws unless it is a complete feed of this edition
   */
  versionOf(body: Buffer): number {
    const text = body.toString();
    const [mark, version] = MARK.exec(text) ?? [];
    if (mark === undefined || text.replace(mark, '') !== this.#texts.get('/feed.xml')) {
      throw new Error(`not a feed of this edition: ${text.slice(-100)}`);
    }
    return Number(version);
  }
}
