import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pageRenderer, type RenderPage } from '../../src/page-renderer.ts';
import type { Logger } from '../base/log.ts';

/** Finds the code that renders pages on demand; without it, logs a line and returns undefined. */
export async function findRenderer(
  folder: string,
  logger: Logger,
): Promise<RenderPage | undefined> {
  const entry = join(folder, 'entry.mjs');
  const there = await access(entry).then(
    () => true,
    () => false,
  );
  if (there) return pageRenderer(entry);
  logger.log('warn', 'the code that renders pages on demand is missing: they respond 503', {
    folder,
  });
  return undefined;
}
