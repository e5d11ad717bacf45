import { cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { strongETag } from '../../src/edition/etag.ts';
import { manifest, MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { INSIGHTS_DIGEST_PATH, OEMBED_PATH } from '../../src/paths.ts';
import { sampleEdition } from './edition.ts';
import { fileOfEachKind } from './routes.ts';

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
  readonly site: string;
  readonly #texts: ReadonlyMap<string, string>;
  #manifest: Manifest;

  private constructor(folder: string, manifest: Manifest, texts: ReadonlyMap<string, string>) {
    this.folder = folder;
    this.site = manifest.base_url;
    this.#manifest = manifest;
    this.#texts = texts;
  }

  /** @param everyKind adds a file of each kind that the sample edition has */
  static async create(folder: string, everyKind = false): Promise<SlimEdition> {
    const sample = await sampleEdition();
    const whole = manifest.parse(JSON.parse(await readFile(join(sample, MANIFEST_FILE), 'utf8')));
    const resources = whole.resources
      .filter(({ path }) => Object.hasOwn(MARKED, path) || path === INSIGHTS_DIGEST_PATH)
      .map((resource) => ({ ...resource, encodings: {} }));
    const texts = new Map<string, string>();
    for (const { path, file } of resources) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      const text = await readFile(join(sample, file), 'utf8');
      await writeFile(join(folder, file), text);
      texts.set(path, text);
    }
    if (everyKind) {
      const embed = whole.resources.filter(({ path }) => path === OEMBED_PATH);
      for (const resource of [...fileOfEachKind({ ...whole, since: null }), ...embed]) {
        if (texts.has(resource.path)) continue;
        await cp(join(sample, resource.file), join(folder, resource.file));
        resources.push({ ...resource, encodings: {} });
      }
    }
    if (everyKind) await symlink(join(dirname(sample), 'server'), join(folder, '../server'));
    const edition = new SlimEdition(folder, { ...whole, since: null, resources }, texts);
    await edition.put(0, Object.keys(MARKED));
    return edition;
  }

  /** The URL of a topic. */
  topic(path = '/feed.xml'): string {
    return this.site + path;
  }

  /** Replaces topics with those of a version, like an upload, the manifest last. */
  async put(version: number, paths: readonly string[] = ['/feed.xml']): Promise<void> {
    const resources: Manifest['resources'] = [];
    for (const resource of this.#manifest.resources) {
      const { path, file } = resource;
      if (!paths.includes(path)) {
        resources.push(resource);
        continue;
      }
      const bytes = Buffer.from(MARKED[path]!(this.#texts.get(path)!, version));
      await replaceFile(join(this.folder, file), bytes);
      resources.push({ ...resource, size: bytes.length, etag: strongETag(bytes) });
    }
    const time = Date.parse(this.#manifest.last_modified) + 1000;
    const last_modified = `${new Date(time).toISOString().slice(0, 19)}Z`;
    this.#manifest = { ...this.#manifest, last_modified, resources };
    await replaceFile(
      join(this.folder, MANIFEST_FILE),
      Buffer.from(JSON.stringify(this.#manifest)),
    );
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

async function replaceFile(file: string, bytes: Buffer): Promise<void> {
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
}
