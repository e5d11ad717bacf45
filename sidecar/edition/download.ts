import { request as plainRequest, type Agent, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface DownloadOptions {
  headers: Readonly<Record<string, string>>;
  /** Time for the complete download, redirects and body included. */
  deadlineMs: number;
  agents: Readonly<Record<'plain' | 'secure', Agent>>;
  signal?: AbortSignal;
}

export interface Downloaded {
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
export async function download(first: URL, options: DownloadOptions): Promise<Downloaded> {
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
