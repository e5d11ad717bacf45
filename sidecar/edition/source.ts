import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { dirname, join, resolve } from 'node:path';
import { MANIFEST_FILE, pathInside, type Manifest } from '../../src/edition/manifest.ts';
import { isDiskFull } from '../base/data-dir.ts';
import { writeAside } from '../base/write-aside.ts';
import { download, withoutSecrets, type DownloadOptions, type Downloaded } from './download.ts';

/** The source has no edition that can be served: an upload is incomplete, or an origin is down. */
export class UnusableEditionError extends Error {
  override readonly name = 'UnusableEditionError';
}

/** One file that edition.json describes: a resource, or an encoded variant of one. */
export interface EditionFile {
  /** URL path of the resource. */
  path: string;
  /** Path inside the edition folder. */
  file: string;
  size: number;
  /** sha-256 of the bytes, base64url. */
  digest: string;
  /** Encoding of a variant. */
  encoding?: string;
}

/** Lists all files of an edition, in the order of the manifest. */
export function editionFiles({ resources }: Manifest): EditionFile[] {
  return resources.flatMap(({ path, file, size, etag, encodings }) => [
    { path, file, size, digest: etag.slice(1, -1) },
    ...Object.entries(encodings).map(([encoding, variant]) => ({
      path,
      file: variant.file,
      size: variant.size,
      digest: variant.sha256,
      encoding,
    })),
  ]);
}

export interface ManifestRead {
  bytes: Buffer;
  /** Changes with the bytes; undefined if the source does not have one. */
  version: string | undefined;
}

/** A place where a file may be. */
export interface FileLocation {
  /** For messages; contains no credentials. */
  name: string;
  /** Starts reading. @throws if there is no file */
  open(signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
}

/** A source of editions. Its files must be verified before they are trusted. */
export interface EditionSource {
  /** For logs, and to tell sources apart; contains no credentials. */
  readonly name: string;
  /** True if reading from it can take long. */
  readonly remote: boolean;
  /**
   * Reads edition.json; returns undefined if it still has the known version.
   *
   * @throws {UnusableEditionError} if there is none
   */
  readManifest(knownVersion: string | undefined): Promise<ManifestRead | undefined>;
  /** Lists the places where a file may be, the most likely first. */
  locations(file: EditionFile): FileLocation[];
}

/** Opens the source named by the setting EDITION: an http(s) address or a folder. */
export function openSource(edition: string): EditionSource {
  return /^https?:/i.test(edition) ? new OriginSource(edition) : new FolderSource(edition);
}

/**
 * Copies a file of an edition into a folder and verifies it as it arrives. All files from sources
 * are written here.
 *
 * @throws {UnusableEditionError} if no location has the bytes that the manifest describes
 */
export async function fetchFile(
  source: EditionSource,
  file: EditionFile,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const target = pathInside(folder, file.file);
  await mkdir(dirname(target), { recursive: true });
  const reasons: string[] = [];
  for (const { name, open } of source.locations(file)) {
    try {
      await writeAside(target, verified(await open(signal), file, signal));
      return;
    } catch (error) {
      if (isDiskFull(error)) throw error;
      reasons.push(`${name}: ${(error as Error).message}`);
    }
    if (signal.aborted) break;
  }
  throw new UnusableEditionError(reasons.join('; '));
}

/** Passes bytes on; throws if they are not the expected file. */
async function* verified(
  chunks: AsyncIterable<Buffer>,
  { size, digest }: EditionFile,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    length += chunk.length;
    if (length > size) throw new Error(`longer than ${MANIFEST_FILE} says`);
    hash.update(chunk);
    yield chunk;
  }
  if (length < size) throw new Error(`shorter than ${MANIFEST_FILE} says`);
  if (hash.digest('base64url') !== digest) throw new Error(`not the bytes of ${MANIFEST_FILE}`);
}

/** Reads an edition from a folder, which a build replaces or an upload writes into. */
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
      throw new UnusableEditionError(`${this.name} has no ${MANIFEST_FILE}: run npm run build`, {
        cause: error,
      });
    }
  }

  locations({ file }: EditionFile): FileLocation[] {
    const path = pathInside(this.name, file);
    return [{ name: path, open: async () => chunksOf(path) }];
  }
}

/** Opens the file when the first chunk is read, because an earlier error would have no listener. */
async function* chunksOf(path: string): AsyncIterable<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
/** Time for a response to start, and the slowest rate of its body. */
const START_MS = 10_000;
const BYTES_PER_MS = 100;
/** The manifest, whose size is not known in advance, may take so many times START_MS. */
const MANIFEST_PATIENCE = 3;

/** Reads an edition from an address: a CDN, a bucket, a web server, another sidecar. */
export class OriginSource implements EditionSource {
  readonly name: string;
  readonly remote = true;
  readonly #base: URL;
  readonly #startMs: number;
  readonly #agents = {
    plain: new PlainAgent({ keepAlive: true }),
    secure: new SecureAgent({ keepAlive: true }),
  };

  constructor(address: string, startMs = START_MS) {
    this.#base = new URL(address);
    this.#startMs = startMs;
    this.name = withoutSecrets(this.#base);
  }

  /** Uses the origin's ETag as the version, so an unchanged edition costs a 304. */
  async readManifest(knownVersion: string | undefined): Promise<ManifestRead | undefined> {
    const url = this.#url(`/${MANIFEST_FILE}`);
    try {
      const response = await this.#download(url, {
        headers: knownVersion === undefined ? {} : { 'if-none-match': knownVersion },
        deadlineMs: this.#startMs * MANIFEST_PATIENCE,
      });
      if (response.status === 304 && knownVersion !== undefined) return undefined;
      const bytes = await collect(okBody(response), MAX_MANIFEST_BYTES);
      return { bytes, version: response.headers.etag };
    } catch (error) {
      const message = `${withoutSecrets(url)}: ${(error as Error).message}`;
      throw new UnusableEditionError(message, { cause: error });
    }
  }

  /**
   * Lists the path of a resource and the name of its file, because a bucket has no file for `/`. A
   * variant has its own file name, or is negotiated at the path of its resource.
   */
  locations({ path, file, size, encoding }: EditionFile): FileLocation[] {
    const deadlineMs = Math.ceil(this.#startMs + size / BYTES_PER_MS);
    const candidate = (
      path: string,
      headers: Readonly<Record<string, string>> = {},
    ): FileLocation => {
      const url = this.#url(path);
      return {
        name: withoutSecrets(url),
        open: async (signal) => okBody(await this.#download(url, { headers, deadlineMs, signal })),
      };
    };
    const name = `/${encodeURI(file).replace(/[?#]/g, encodeURIComponent)}`;
    if (encoding !== undefined) {
      return [candidate(name), candidate(path, { 'accept-encoding': encoding })];
    }
    return path === name ? [candidate(path)] : [candidate(path), candidate(name)];
  }

  #url(path: string): URL {
    const url = new URL(this.#base);
    url.pathname = url.pathname.replace(/\/$/, '') + path;
    return url;
  }

  #download(url: URL, options: Omit<DownloadOptions, 'agents'>): Promise<Downloaded> {
    // Caches in between must revalidate with the origin (RFC 9111, section 5.2.1.4).
    const headers = { 'accept-encoding': 'identity', 'cache-control': 'no-cache' };
    return download(url, {
      ...options,
      headers: { ...headers, ...options.headers },
      agents: this.#agents,
    });
  }
}

function okBody({ status, body, discard }: Downloaded): AsyncIterable<Buffer> {
  if (status === 200) return body;
  discard();
  throw new Error(`the response was ${status}`);
}

async function collect(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const collected: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`longer than ${maxBytes} bytes`);
    collected.push(chunk);
  }
  return Buffer.concat(collected, length);
}
