/** The validators of a resource. `lastModified` is in seconds since 1970, as HTTP dates are. */
export interface Validators {
  etag: string;
  lastModified?: number;
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;
/** The form that is sent today and the two of old (RFC 9110, section 5.6.7). */
const IMF_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC850_DATE = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

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
  return validators.lastModified <= secondsOf(ifModifiedSince);
}

/** Seconds since 1970 of an HTTP date; NaN when it is none. */
function secondsOf(date: string): number {
  if (IMF_DATE.test(date) || RFC850_DATE.test(date)) return Date.parse(date) / 1000;
  return ASCTIME_DATE.test(date) ? Date.parse(`${date} GMT`) / 1000 : NaN;
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
