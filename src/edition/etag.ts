import { hash } from 'node:crypto';

/** Strong validator of the exact bytes (RFC 9110, section 8.8.3): sha-256, base64url, quoted. */
export function strongETag(bytes: Uint8Array | string): string {
  return quoteDigest(sha256(bytes));
}

/** sha-256 in base64url, as edition.json states it for every file. */
export function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'base64url');
}

export function quoteDigest(digest: string): string {
  return `"${digest}"`;
}

/** An encoded variant is another representation, so it has another strong validator. */
export function variantETag(etag: string, encoding: string): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}
