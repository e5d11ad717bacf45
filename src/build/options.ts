import { resolve } from 'node:path';
import { asCalled } from '../run-command.ts';
import { readReviewMarkup, siteUrl } from './settings.ts';

/** Arguments and settings of a build. */
export interface BuildOptions {
  /** Folder of the dataset. */
  contentDir: string;
  /** Origin of the site, without a slash at the end. */
  siteUrl: string;
  reviewMarkup: boolean;
  /** True if a warning stops the build, as in the publish workflow. */
  strict: boolean;
  /** True if the hub is notified by another command, once the edition is deployed. */
  noPing: boolean;
  /** The environment, for the settings of signatures, the hub and the time of the edition. */
  env: NodeJS.ProcessEnv;
  /** Writes a line for the person who builds. */
  print: (line: string) => void;
}

/**
 * Reads the settings of a build.
 *
 * @throws when one is invalid
 */
export function readOptions(
  env: NodeJS.ProcessEnv,
  { contentDir = env.CONTENT_DIR || 'content', strict = false, noPing = false } = {},
): BuildOptions {
  return {
    contentDir: resolve(contentDir),
    siteUrl: siteUrl(env),
    reviewMarkup: readReviewMarkup(env),
    strict,
    noPing,
    env,
    print: (line) => process.stdout.write(`${asCalled(line, env.REVIEWS_COMMAND)}\n`),
  };
}
