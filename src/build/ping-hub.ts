import ky, { HTTPError } from 'ky';
import { CONTRACT_TOPIC_PATHS } from '../paths.ts';

const TIMEOUT_MS = 5_000;
/** Waits before each retry, unless the hub states one in Retry-After. */
const WAITS_MS = [1_000, 4_000, 15_000];
const LONGEST_WAIT_MS = 120_000;

/** Returns words for a ping that failed; a site that was never built has no subscribers to miss it. */
export function notNotified({ message }: Error, isFirstBuild: boolean): string {
  return isFirstBuild
    ? 'Nobody to notify yet: this is the first build; once the site is served, npm run reviews -- ping tells its hub'
    : `Subscribers were not notified: ${message}; npm run reviews -- ping does it later`;
}

/**
 * Tells a hub that the topics may have changed (WebSub leaves the form open; `hub.mode=publish`
 * with `hub.url` is what hubs understand).
 *
 * @param retries how often it is tried again if the hub may accept it later
 * @throws in one line when the hub does not accept it
 */
export async function pingHub(hub: string, siteUrl: string, retries = 0): Promise<void> {
  const form = new URLSearchParams({ 'hub.mode': 'publish' });
  // A ping is for all topics, and a hub of an older version refuses those it does not know.
  for (const path of CONTRACT_TOPIC_PATHS) form.append('hub.url', siteUrl + path);
  try {
    const response = await ky.post(hub, {
      body: form,
      redirect: 'error',
      timeout: TIMEOUT_MS,
      retry: {
        limit: retries,
        methods: ['post'],
        retryOnTimeout: true,
        maxRetryAfter: LONGEST_WAIT_MS,
        delay: (attempt) => WAITS_MS[attempt - 1] ?? LONGEST_WAIT_MS,
      },
    });
    await response.body?.cancel();
  } catch (error) {
    throw new Error(`${hub} ${reasonOf(error)}`, { cause: error });
  }
}

/** The error of a connection is the innermost cause. */
function reasonOf(error: unknown): string {
  if (error instanceof HTTPError) return `answered ${error.response.status}`;
  let inner = error as Error & { code?: string };
  while (inner.cause instanceof Error) inner = inner.cause;
  return `cannot be reached: ${inner.code ?? inner.message}`;
}
