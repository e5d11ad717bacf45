import { CACHE_REVALIDATED } from '../../src/http.ts';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
import { download, type Downloaded, type DownloadOptions } from './download.ts';
import {
  FolderSource,
  UnusableEditionError,
  type EditionFile,
  type EditionSource,
  type FileLocation,
  type ManifestRead,
} from './source.ts';

const MAX_SIGNATURE_BYTES = 4096;
const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
/** Time for a response to start, and the slowest rate of its body. */
const START_MS = 10_000;
const BYTES_PER_MS = 100;
/** The manifest, whose size is not known in advance, may take so many times START_MS. */
const MANIFEST_PATIENCE = 3;

/** Returns the source that the setting EDITION names: an http(s) address or a folder. */
export function openSource(address: string): EditionSource {
  return isAddress(address) ? new OriginSource(address) : new FolderSource(address);
}

/** Tells an address from a folder. */
export function isAddress(edition: string): boolean {
  return /^https?:/i.test(edition);
}

/** Reads an edition from an address: a CDN, a bucket, a web server, another sidecar. */
export class OriginSource implements EditionSource {
  readonly name: string;
  readonly remote = true;
  readonly #base: URL;
  readonly #startMs: number;

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

  async readSignature(): Promise<Buffer | undefined> {
    const url = this.#url(`/${SIGNATURE_FILE}`);
    try {
      const response = await this.#download(url, { headers: {}, deadlineMs: this.#startMs });
      if (response.status !== 404) return await collect(okBody(response), MAX_SIGNATURE_BYTES);
      response.discard();
      return undefined;
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

  #download(url: URL, options: DownloadOptions): Promise<Downloaded> {
    // Caches in between must revalidate with the origin (RFC 9111, section 5.2.1.4).
    const headers = { 'accept-encoding': 'identity', 'cache-control': CACHE_REVALIDATED };
    return download(url, { ...options, headers: { ...headers, ...options.headers } });
  }
}

/** Returns an address as it may be logged. */
function withoutSecrets({ origin, pathname }: URL): string {
  return origin + pathname;
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
