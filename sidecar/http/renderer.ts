import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pageRenderer, type RenderPage } from '../../src/page-renderer.ts';
import type { Logger } from '../base/log.ts';
import { isAddress } from '../../src/edition/untrusted-origin.ts';

/** The folder with the code that renders pages, where the program was built. */
export const SERVER_DIR = 'dist/server';

/**
 * Finds the code that renders pages on demand: beside the edition, if that is a folder, or where the
 * program was built. Without it, logs a line and returns undefined.
 */
export async function findRenderer(
  edition: string,
  logger: Logger,
  built = SERVER_DIR,
): Promise<RenderPage | undefined> {
  const folders = isAddress(edition) ? [built] : [join(edition, '../server'), built];
  const entry = folders.map((folder) => resolve(folder, 'entry.mjs')).find(existsSync);
  if (entry !== undefined) return pageRenderer(entry);
  logger.log('warn', 'the code that renders pages on demand is missing: they respond 503', {
    folders,
  });
  return undefined;
}
