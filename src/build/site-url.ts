/** Where `npm start` serves, and what links begin with when SITE_URL is not set. */
const DEFAULT_SITE_URL = 'http://localhost:4321';

/**
 * The origin of the site, without a slash at the end.
 *
 * @throws when SITE_URL is not an origin: the paths of the contract begin at its root
 */
export function siteUrl(env: NodeJS.ProcessEnv): string {
  const value = env.SITE_URL || DEFAULT_SITE_URL;
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new Error(
      `SITE_URL: must be an origin such as https://reviews.example.com (was ${value})`,
    );
  }
  return url.origin;
}
