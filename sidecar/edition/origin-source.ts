import type { Dispatcher } from 'undici';
import { CACHE_REVALIDATED } from '../../src/http.ts';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
import {
  isAddress,
  ORIGIN_LIMITS,
  REDIRECTS,
  redirectTarget,
} from '../../src/edition/untrusted-origin.ts';
import { collect } from '../base/bodies.ts';
import {
  FolderSource,
  messageOf,
  UnusableEditionError,
  type EditionFile,
  type EditionSource,
  type FileLocation,
  type ManifestRead,
} from './source.ts';

const MAX_SIGNATURE_BYTES = 4096;
/** Longest body that is read to its end only to reuse the connection. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** Returns the source that the setting EDITION names: an http(s) address or a folder. */
export function openSource(address: string): EditionSource {
  return isAddress(address) ? new OriginSource(address) : new FolderSource(address);
}

interface DownloadOptions {
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Its body has the bytes as sent, not decoded; it must be discarded if it is not read. */
type Downloaded = Dispatcher.ResponseData;

/** Reads an edition from an address: a CDN, a bucket, a web server, another sidecar. */
export class OriginSource implements EditionSource {
  readonly name: string;
  readonly remote = true;
  readonly #base: URL;
  readonly #waitMs: number;

  constructor(address: string, waitMs: number = ORIGIN_LIMITS.waitMs) {
    this.#base = new URL(address);
    this.#waitMs = waitMs;
    this.name = withoutSecrets(this.#base);
  }

  /** Uses the origin's ETag as the version, so an unchanged edition costs a 304. */
  async readManifest(
    knownVersion: string | undefined,
    signal: AbortSignal,
  ): Promise<ManifestRead | undefined> {
    const headers = knownVersion === undefined ? {} : { 'if-none-match': knownVersion };
    return this.#read(MANIFEST_FILE, { headers, signal }, async (response) => {
      if (response.statusCode === 304 && knownVersion !== undefined) return undefined;
      const bytes = await bytesOf(response, ORIGIN_LIMITS.manifestBytes);
      return { bytes, version: response.headers.etag as string | undefined };
    });
  }

  async readSignature(signal: AbortSignal): Promise<Buffer | undefined> {
    return this.#read(SIGNATURE_FILE, { signal }, async (response) => {
      if (response.statusCode !== 404) return bytesOf(response, MAX_SIGNATURE_BYTES);
      discard(response);
      return undefined;
    });
  }

  async #read<T>(
    file: string,
    request: DownloadOptions,
    take: (response: Downloaded) => Promise<T>,
  ): Promise<T> {
    const url = this.#url(`/${file}`);
    try {
      return await take(await this.#download(url, request));
    } catch (error) {
      const message = `${withoutSecrets(url)}: ${messageOf(error)}`;
      throw new UnusableEditionError(message, { cause: error });
    }
  }

  /**
   * Lists the path of a resource and the name of its file, because a bucket has no file for `/`. A
   * variant has its own file name, or is negotiated at the path of its resource.
   */
  locations({ path, file, encoding }: EditionFile): FileLocation[] {
    const name = `/${encodeURI(file).replace(/[?#]/g, encodeURIComponent)}`;
    const places = new Set(encoding ? [name, path] : [path, name]);
    return [...places].map((place) => {
      const url = this.#url(place);
      const headers = place === path && encoding ? { 'accept-encoding': encoding } : {};
      return {
        name: withoutSecrets(url),
        open: async (signal) => okBody(await this.#download(url, { headers, signal })),
      };
    });
  }

  /**
   * Sends one GET. Follows redirects on the same host, never from https to http.
   *
   * @throws with a reason in one line, without credentials or queries of an address
   */
  async #download(first: URL, { headers: own, signal }: DownloadOptions): Promise<Downloaded> {
    const { request } = await import('undici'); // takes longer than to open a kept edition
    // Caches in between must revalidate with the origin (RFC 9111, section 5.2.1.4).
    const usual = { 'accept-encoding': 'identity', 'cache-control': CACHE_REVALIDATED };
    const limits = { signal, headersTimeout: this.#waitMs, bodyTimeout: this.#waitMs };
    let url = first;
    for (let redirects = 0; redirects <= ORIGIN_LIMITS.redirects; redirects++) {
      const sent = { ...usual, ...own, ...credentials(url) };
      const response = await request(url, { ...limits, headers: sent });
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode) || location === undefined) return response;
      discard(response);
      url = redirectTarget(url, String(location));
    }
    throw new Error(`more than ${ORIGIN_LIMITS.redirects} redirects`);
  }

  #url(path: string): URL {
    const url = new URL(this.#base);
    url.pathname = url.pathname.replace(/\/$/, '') + path;
    return url;
  }
}

/** Returns an address as it may be logged. */
function withoutSecrets({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** The rest of the body may end with an error that nobody waits for. */
function discard({ body }: Downloaded): void {
  body.dump({ limit: MAX_DISCARDED_BYTES }).catch(() => {});
}

function okBody(response: Downloaded): AsyncIterable<Buffer> {
  if (response.statusCode === 200) return response.body;
  discard(response);
  throw new Error(`the response was ${response.statusCode}`);
}

async function bytesOf(response: Downloaded, maxBytes: number): Promise<Buffer> {
  const bytes = await collect(okBody(response), maxBytes);
  if (!bytes) throw new Error(`longer than ${maxBytes} bytes`);
  return bytes;
}

/** Returns the header for the user and password of an address (RFC 7617). */
function credentials({ username, password }: URL): Record<string, string> {
  if (!username) return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}
