import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { download, withoutSecrets, type Downloaded, type DownloadOptions } from './download.ts';
import { IncompleteEditionError } from './incomplete-edition-error.ts';
import type { EditionFile, EditionSource, ManifestRead } from './source.ts';

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
/** How long an answer may take: to begin with, and for each of its bytes what a slow line needs. */
const START_MS = 10_000;
const BYTES_PER_MS = 100;
/** The size of the manifest is not known beforehand, so it has this many times the start. */
const MANIFEST_PATIENCE = 3;
/** A 404 may come with a page that is longer than the file would be. */
const MAX_ERROR_BYTES = 64 * 1024;

/** An edition that is published at an address: a CDN, a web server, another sidecar. */
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

  /** The version is the ETag that the origin gave, so an unchanged edition costs a 304. */
  async readManifest(knownVersion: string | undefined): Promise<ManifestRead | undefined> {
    const condition = knownVersion === undefined ? {} : { 'if-none-match': knownVersion };
    const path = `/${MANIFEST_FILE}`;
    const answer = await this.#get(path, {
      headers: condition,
      maxBytes: MAX_MANIFEST_BYTES,
      deadlineMs: this.#startMs * MANIFEST_PATIENCE,
    });
    if (answer.status === 304 && knownVersion !== undefined) return undefined;
    return { bytes: bodyOf(answer, path), version: answer.headers.etag };
  }

  /** A variant lies under its own name on a web server; a sidecar hands it out by negotiation. */
  async read({ path, file, size, encoding }: EditionFile, signal: AbortSignal): Promise<Buffer> {
    const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      this.#get(path, {
        headers,
        maxBytes: Math.max(size, MAX_ERROR_BYTES),
        deadlineMs: this.#startMs + size / BYTES_PER_MS,
        signal,
      });
    if (encoding === undefined) return bodyOf(await get(path), path);
    const name = `/${encodeURI(file)}`;
    const byName = await get(name);
    if (byName.status === 200) return byName.bytes;
    const negotiated = await get(path, { 'accept-encoding': encoding });
    if (negotiated.headers['content-encoding'] !== encoding) {
      throw new IncompleteEditionError(`${name} was answered ${byName.status}`);
    }
    return bodyOf(negotiated, path);
  }

  async #get(path: string, options: Omit<DownloadOptions, 'agents'>): Promise<Downloaded> {
    const url = new URL(this.#base);
    url.pathname = url.pathname.replace(/\/$/, '') + path;
    try {
      return await download(url, {
        ...options,
        deadlineMs: Math.ceil(options.deadlineMs),
        // A cache between is asked to look at its origin (RFC 9111, section 5.2.1.4).
        headers: { 'accept-encoding': 'identity', 'cache-control': 'no-cache', ...options.headers },
        agents: this.#agents,
      });
    } catch (error) {
      throw new IncompleteEditionError((error as Error).message, { cause: error });
    }
  }
}

function bodyOf({ status, bytes }: Downloaded, path: string): Buffer {
  if (status === 200) return bytes;
  throw new IncompleteEditionError(`${path} was answered ${status}`);
}
