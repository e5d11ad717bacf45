import { CONTRACT_TOPIC_PATHS } from '../paths.ts';

const TIMEOUT_MS = 5_000;

/** A hub did not accept a ping; the message is one line. */
export class PingError extends Error {
  override readonly name = 'PingError';
  /** True if it may accept the same ping later. */
  readonly transient: boolean;
  /** Seconds to wait, as the hub asks; 0 if it does not. */
  readonly retryAfter: number;

  constructor(message: string, transient: boolean, retryAfter = 0, options?: ErrorOptions) {
    super(message, options);
    this.transient = transient;
    this.retryAfter = retryAfter;
  }
}

/** Words a ping that failed; a site that was never built has no subscribers, so that is no issue. */
export function notNotified({ message }: Error, isFirstBuild: boolean): string {
  return isFirstBuild
    ? 'Nobody to notify yet: this is the first build; once the site is served, npm run ping tells its hub'
    : `Subscribers were not notified: ${message}; npm run ping does it later`;
}

/**
 * Tells a hub that the topics may have changed (WebSub leaves the form open; `hub.mode=publish`
 * with `hub.url` is what hubs understand).
 *
 * @throws {PingError} when the hub does not accept it
 */
export async function pingHub(hub: string, siteUrl: string): Promise<void> {
  const form = new URLSearchParams({ 'hub.mode': 'publish' });
  // A ping is for all topics, and a hub of an older version refuses those it does not know.
  for (const path of CONTRACT_TOPIC_PATHS) form.append('hub.url', siteUrl + path);
  let response: Response;
  try {
    response = await fetch(hub, {
      method: 'POST',
      body: form,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    const reason = `${hub} cannot be reached: ${cause?.code ?? message}`;
    throw new PingError(reason, true, 0, { cause: error });
  }
  await response.body?.cancel();
  const { ok, status, headers } = response;
  if (ok) return;
  const retryAfter = Number(headers.get('retry-after')) || 0;
  throw new PingError(`${hub} answered ${status}`, status === 429 || status >= 500, retryAfter);
}
