import { resolve } from 'node:path';
import { basePath, HUB_PATH, isSiteUrl } from '../paths.ts';
import { asCalled } from '../run-command.ts';

export type BuildOptions = ReturnType<typeof readOptions>;

/**
 * Reads the settings of a build.
 *
 * @throws when one is invalid
 */
export function readOptions(
  env: NodeJS.ProcessEnv,
  { contentDir = env.CONTENT_DIR || 'content', strict = false, noPing = false } = {},
) {
  return {
    contentDir: resolve(contentDir),
    siteUrl: siteUrl(env),
    /** True if a warning stops the build, as in the publish workflow. */
    strict,
    /** True if the hub is notified by another command, once the edition is deployed. */
    noPing,
    /** The environment, for the settings of signatures, the hub and the time of the edition. */
    env,
    /** Writes a line for the person who builds. */
    print: (line: string): void => {
      process.stdout.write(`${asCalled(line, env.REVIEWS_COMMAND)}\n`);
    },
  };
}

/** The address at which `npm start` serves, and the origin of links when SITE_URL is not set. */
const DEFAULT_SITE_URL = 'http://localhost:4321';

/**
 * Returns the address of the site, SITE_URL, without a slash at the end: an origin, or a path on one.
 *
 * @throws for anything else
 */
export function siteUrl(env: NodeJS.ProcessEnv): string {
  const value = env.SITE_URL || DEFAULT_SITE_URL;
  const url = URL.parse(value);
  const address = url && `${url.origin}${basePath(url.href)}`;
  if (!isSiteUrl(address) || ![address, `${address}/`].includes(url!.href)) {
    throw new Error(
      `SITE_URL: must be an address such as https://reviews.example.com or https://example.com/reviews (was ${value})`,
    );
  }
  return address;
}

/** Returns the hub that a build of this site pings, HUB_URL; by default the site's own. */
export function hubUrl(env: NodeJS.ProcessEnv, siteUrl: string): string {
  return env.HUB_URL || siteUrl + HUB_PATH;
}
