import { ATOM_PATH, HUB_PATH, JSON_FEED_PATH, REVIEWS_PATH } from '../edition/paths.ts';

const TIMEOUT_MS = 5_000;

/** The hub endpoint that a build of this site pings. */
export function hubUrl(env: NodeJS.ProcessEnv, siteUrl: string): string {
  return env.HUB_URL || siteUrl + HUB_PATH;
}

/**
 * Tells a hub that the topics may have changed (WebSub leaves the form open; `hub.mode=publish`
 * with `hub.url` is what hubs understand).
 *
 * @throws with a reason in one line when the hub did not take it
 */
export async function pingHub(hub: string, siteUrl: string): Promise<void> {
  const form = new URLSearchParams({ 'hub.mode': 'publish' });
  for (const path of [ATOM_PATH, JSON_FEED_PATH, REVIEWS_PATH])
    form.append('hub.url', siteUrl + path);
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
    throw new Error(`${hub} cannot be reached: ${cause?.code ?? message}`, { cause: error });
  }
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${hub} answered ${response.status}`);
}
