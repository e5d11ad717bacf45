import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { strongETag } from '../../../src/edition/etag.ts';
import { manifest, MANIFEST_FILE, type Manifest } from '../../../src/edition/manifest.ts';
import { sampleEdition } from '../edition.ts';

const TOPICS = new Set(['/feed.xml', '/api/feed.json', '/reviews.json']);
const MARK = /<!-- version (\d+) -->$/;

/** A folder with the topics of the sample edition and nothing else, whose Atom feed can be changed. */
export class SlimEdition {
  readonly folder: string;
  readonly topicUrl: string;
  readonly #manifest: Manifest;
  readonly #feed: string;

  private constructor(folder: string, manifest: Manifest, feed: string) {
    this.folder = folder;
    this.topicUrl = `${manifest.base_url}/feed.xml`;
    this.#manifest = manifest;
    this.#feed = feed;
  }

  static async create(folder: string): Promise<SlimEdition> {
    const sample = await sampleEdition();
    const whole = manifest.parse(JSON.parse(await readFile(join(sample, MANIFEST_FILE), 'utf8')));
    const resources = whole.resources
      .filter(({ path }) => TOPICS.has(path))
      .map((resource) => ({ ...resource, encodings: {} }));
    for (const { file } of resources) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), await readFile(join(sample, file)));
    }
    const feed = await readFile(join(sample, 'feed.xml'), 'utf8');
    const edition = new SlimEdition(folder, { ...whole, since: null, resources }, feed);
    await edition.put(0);
    return edition;
  }

  /** Puts a version in the place of the last one, as an upload does: the manifest last. */
  async put(version: number): Promise<void> {
    const bytes = Buffer.from(`${this.#feed}<!-- version ${version} -->`);
    const resources = this.#manifest.resources.map((resource) =>
      resource.path === '/feed.xml'
        ? { ...resource, size: bytes.length, etag: strongETag(bytes) }
        : resource,
    );
    const time = new Date(Date.parse(this.#manifest.last_modified) + version * 1000);
    const last_modified = `${time.toISOString().slice(0, 19)}Z`;
    await replace(join(this.folder, 'feed.xml'), bytes);
    const next = { ...this.#manifest, last_modified, resources };
    await replace(join(this.folder, MANIFEST_FILE), Buffer.from(JSON.stringify(next)));
  }

  /** The version of a feed that was delivered. @throws when it is not a whole feed of this edition */
  versionOf(body: Buffer): number {
    const text = body.toString();
    const version = MARK.exec(text)?.[1];
    if (version === undefined || text.replace(MARK, '') !== this.#feed) {
      throw new Error(`not a feed of this edition: ${text.slice(-100)}`);
    }
    return Number(version);
  }
}

async function replace(file: string, bytes: Buffer): Promise<void> {
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
}
