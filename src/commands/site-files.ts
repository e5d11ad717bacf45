import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_REVALIDATED } from '../http.ts';

/** Outcome of a check of a published site. */
export interface CheckResult {
  issues: string[];
  /** Lines to print if there is no issue. */
  verified: string[];
}

/** Returns the location of a file of a site; the site is an origin or a folder. */
export function placeOf(site: string, path: string): string {
  return isUrl(site) ? new URL(path, site).href : join(site, path);
}

/** Reads a file or an address. @throws if there is nothing */
export async function readBytes(source: string): Promise<Buffer> {
  if (!isUrl(source)) return readFile(source);
  const response = await fetch(source, { headers: { 'cache-control': CACHE_REVALIDATED } });
  if (!response.ok) throw new Error(`${source} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

export function isUrl(source: string): boolean {
  return /^https?:/.test(source);
}
