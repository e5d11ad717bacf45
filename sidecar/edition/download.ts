import type { IncomingHttpHeaders } from 'node:http';

export interface DownloadOptions {
  headers: Readonly<Record<string, string>>;
  /** Time for the complete download, redirects and body included. */
  deadlineMs: number;
  signal?: AbortSignal;
}

export interface Downloaded {
  status: number;
  headers: IncomingHttpHeaders;
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
  const { request } = await import('undici'); // takes longer than to open an edition that was kept
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
      const sent = { ...options.headers, ...credentials(url) };
      const response = await request(url, { headers: sent, signal: until });
      const { statusCode: status, headers, body } = response;
      // The deadline may end it with an error that nobody waits for.
      const discard = () => void body.dump({ limit: MAX_DISCARDED_BYTES }).catch(() => {});
      if (!REDIRECTS.has(status) || headers.location === undefined) {
        return { status, headers, body: withReason(body, reason), discard };
      }
      discard();
      url = redirectTarget(url, String(headers.location));
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects`);
  } catch (error) {
    throw reason(error);
  }
}

async function* withReason(
  body: AsyncIterable<Buffer>,
  reason: (error: unknown) => Error,
): AsyncIterable<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw reason(error);
  }
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

/** Returns the header for the user and password of an address (RFC 7617). */
function credentials({ username, password }: URL): Record<string, string> {
  if (!username) return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}

function messageOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || 'no connection'; // a refusal by every address of a name has no message
}
