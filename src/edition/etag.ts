import { hash } from 'node:crypto';

/** Returns the strong validator of exact bytes (RFC 9110, section 8.8.3): SHA-256, base64url, quoted. */
export function strongETag(bytes: Uint8Array | string): string {
  return quoteDigest(sha256(bytes));
}

/** Returns the SHA-256 in base64url, as in `edition.json`. */
export function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'base64url');
}

export function quoteDigest(digest: string): string {
  return `"${digest}"`;
}
