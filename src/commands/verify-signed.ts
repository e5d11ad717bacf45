import type { KeyObject } from 'node:crypto';
import { eachConcurrently } from '../edition/each-concurrently.ts';
import { strongETag } from '../edition/etag.ts';
import { manifest, MANIFEST_FILE } from '../edition/manifest.ts';
import {
  isExpired,
  SIGNATURE_FILE,
  SignatureError,
  verifyEdition,
  type EditionSignature,
} from '../edition/signature.ts';
import { isUrl, placeOf, readBytes, type CheckResult } from './site-files.ts';

/** Number of files that are read at a time. */
const CONCURRENCY = 8;

/**
 * Checks from the outside that an edition is signed by one of the keys, is current, and that every
 * file is the one that was signed.
 *
 * @param now milliseconds since 1970
 */
export async function verifySigned(
  site: string,
  keys: readonly KeyObject[],
  now: number,
): Promise<CheckResult> {
  const bytes = await readBytes(placeOf(site, MANIFEST_FILE));
  const signatureBytes = await readBytes(placeOf(site, SIGNATURE_FILE)).catch(() => undefined);
  let signature: EditionSignature;
  try {
    signature = verifyEdition(signatureBytes, bytes, keys);
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    return { issues: [error.message], verified: [] };
  }
  const { sequence, expires, rollback } = signature;
  const issues = isExpired(signature, now) ? [`the edition expired at ${expires}`] : [];
  const { resources } = manifest.parse(JSON.parse(bytes.toString()));
  await eachConcurrently(resources, CONCURRENCY, async ({ path, file, etag }) => {
    const place = placeOf(site, isUrl(site) ? path : file);
    const read = await readBytes(place).catch(() => undefined);
    if (read === undefined || strongETag(read) !== etag) {
      issues.push(`${path}: ${read ? 'is not the file that was signed' : 'cannot be read'}`);
    }
  });
  const why = rollback === null ? '' : `, an older one on purpose: ${rollback}`;
  return {
    issues,
    verified: [
      `signed as number ${sequence}, until ${expires}${why}; ${resources.length} files are as signed`,
    ],
  };
}
