import { FolderSource } from './folder-source.ts';
import { OriginSource } from './origin-source.ts';
import type { EditionSource } from './source.ts';

/** The source that the setting EDITION names: an http(s) address, or else a folder. */
export function openSource(edition: string): EditionSource {
  return /^https?:/i.test(edition) ? new OriginSource(edition) : new FolderSource(edition);
}
