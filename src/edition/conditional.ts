/** The validators of a resource. `lastModified` is in seconds since 1970, as HTTP dates are. */
export interface Validators {
  etag: string;
  lastModified?: number;
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;
/** IMF-fixdate, the form that is sent today (RFC 9110, section 5.6.7); others are ignored. */
const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

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
  if (!HTTP_DATE.test(ifModifiedSince)) return false;
  const since = Date.parse(ifModifiedSince);
  return !Number.isNaN(since) && validators.lastModified <= Math.floor(since / 1000);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
