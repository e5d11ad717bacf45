import {
  Agent as PlainAgent,
  request as plainRequest,
  type Agent,
  type IncomingMessage,
} from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
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
  return /^https?:/i.test(address) ? new OriginSource(address) : new FolderSource(address);
}

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

interface DownloadOptions {
  headers: Readonly<Record<string, string>>;
  /** Time for the complete download, redirects and body included. */
  deadlineMs: number;
  agents: Readonly<Record<'plain' | 'secure', Agent>>;
  signal?: AbortSignal;
}

interface Downloaded {
  status: number;
  headers: IncomingMessage['headers'];
  /** The bytes as sent, not decoded; throws if they do not all arrive in time. */
  body: AsyncIterable<Buffer>;
  /** Must be called if the body is not read. */
  discard: () => void;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Longest body that is read to its end only to reuse the connection. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/**
 * Sends one GET. Follows redirects on the same host, never from https to http.
 *
 * @throws with a reason in one line, without credentials or queries of an address
 */
async function download(first: URL, options: DownloadOptions): Promise<Downloaded> {
  const { deadlineMs, signal } = options;
  const deadline = AbortSignal.timeout(deadlineMs);
  const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const reason = (error: unknown): Error => {
    const late = deadline.aborted && !signal?.aborted;
    const message = late ? `no complete response within ${deadlineMs} ms` : messageOf(error);
    return new Error(message, { cause: error });
  };
  try {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await send(url, options, until);
      const { statusCode: status = 0, headers } = response;
      const discard = () => discardBody(response);
      if (!REDIRECTS.has(status) || headers.location === undefined) {
        return { status, headers, body: bodyOf(response, reason), discard };
      }
      discard();
      url = redirectTarget(url, headers.location);
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects`);
  } catch (error) {
    throw reason(error);
  }
}

/** Returns an address as it may be logged. */
function withoutSecrets({ origin, pathname }: URL): string {
  return origin + pathname;
}

async function* bodyOf(
  response: IncomingMessage,
  reason: (error: unknown) => Error,
): AsyncIterable<Buffer> {
  try {
    yield* response as AsyncIterable<Buffer>;
  } catch (error) {
    throw reason(error);
  }
}

function discardBody(response: IncomingMessage): void {
  // The deadline ends it with an error that nobody waits for.
  response.on('error', () => {});
  const length = Number(response.headers['content-length'] ?? Infinity);
  if (length <= MAX_DISCARDED_BYTES) response.resume();
  else response.destroy();
}

/** Rejects other hosts: nobody trusted them with this edition, and they may be internal. */
function redirectTarget(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  const same = to?.origin === from.origin;
  const upgrade =
    from.protocol === 'http:' && to?.protocol === 'https:' && to.hostname === from.hostname;
  if (!to || !(same || upgrade)) {
    throw new Error(
      `a redirect to ${to ? to.origin : 'an invalid address'}, which is not followed`,
    );
  }
  [to.username, to.password] = same ? [from.username, from.password] : ['', ''];
  return to;
}

function send(url: URL, options: DownloadOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { headers, agents } = options;
  const secure = url.protocol === 'https:';
  const request = secure ? secureRequest : plainRequest;
  const agent = secure ? agents.secure : agents.plain;
  return new Promise((resolve, reject) => {
    request(url, { headers, agent, signal }, resolve).once('error', reject).end();
  });
}

function messageOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || 'no connection'; // a refusal by every address of a name has no message
}
