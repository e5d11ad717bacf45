/** The validators of a resource. `lastModified` is in seconds since 1970, as HTTP dates are. */
export interface Validators {
  etag: string;
  lastModified?: number;
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

/**
 * Whether a GET or HEAD is answered 304 (RFC 9110, section 13.2.2): If-None-Match wins over
 * If-Modified-Since, compares weakly, may be a list or `*`.
 */
export function isNotModified(
  ifNoneMatch: string | null | undefined,
  ifModifiedSince: string | null | undefined,
  validators: Validators,
): boolean {
  if (ifNoneMatch != null) {
    if (ifNoneMatch === validators.etag) return true;
    if (ifNoneMatch.trim() === '*') return true;
    const tags = ifNoneMatch.match(ENTITY_TAG) ?? [];
    return tags.some((tag) => opaque(tag) === opaque(validators.etag));
  }
  if (ifModifiedSince == null || validators.lastModified === undefined) return false;
  const since = Date.parse(ifModifiedSince);
  return !Number.isNaN(since) && validators.lastModified <= Math.floor(since / 1000);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
