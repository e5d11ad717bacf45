import { request as plainRequest, type Agent, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface DownloadOptions {
  headers: Readonly<Record<string, string>>;
  /** A longer body ends the download. */
  maxBytes: number;
  /** For the whole of it, redirects and body included. */
  deadlineMs: number;
  agents: Readonly<Record<'plain' | 'secure', Agent>>;
  signal?: AbortSignal;
}

export interface Downloaded {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * One GET; the body is the bytes of the wire, without decoding. Redirects are followed, but never
 * from https to http, and credentials of the address go to its own origin only.
 *
 * @throws with a reason in one line; never repeats credentials or queries of an address
 */
export async function download(url: URL, options: DownloadOptions): Promise<Downloaded> {
  const { deadlineMs, signal } = options;
  const deadline = AbortSignal.timeout(deadlineMs);
  const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    return await follow(url, options, until);
  } catch (error) {
    const late = deadline.aborted && !signal?.aborted;
    const reason = late ? `no whole answer within ${deadlineMs} ms` : reasonOf(error);
    throw new Error(`${withoutSecrets(url)}: ${reason}`, { cause: error });
  }
}

/** An address as it may be logged. */
export function withoutSecrets({ origin, pathname }: URL): string {
  return origin + pathname;
}

async function follow(first: URL, options: DownloadOptions, signal: AbortSignal) {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await send(url, options, signal);
    const { statusCode: status = 0, headers } = answer;
    const { location } = headers;
    if (!REDIRECTS.has(status) || location === undefined) {
      return { status, headers, bytes: await readBody(answer, options.maxBytes) };
    }
    answer.destroy();
    url = redirectTarget(url, location);
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}

function redirectTarget(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  if (!to || !/^https?:$/.test(to.protocol)) throw new Error('a redirect to no http(s) address');
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new Error(`a redirect from https to ${withoutSecrets(to)}`);
  }
  if (to.origin === from.origin) [to.username, to.password] = [from.username, from.password];
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

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`an answer of more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || 'no connection'; // a refusal by every address of a name has no message
}
