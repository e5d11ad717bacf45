/**
 * The validators of a resource; `lastModified` in seconds since 1970, the precision of HTTP dates.
 */
export interface Validators {
  etag: string;
  lastModified?: number;
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;
/** The current date format and the two obsolete ones (RFC 9110, section 5.6.7). */
const IMF_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC850_DATE = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Decides if a GET or HEAD gets a 304 (RFC 9110, section 13.2.2): If-None-Match takes precedence
 * over If-Modified-Since, compares weakly, and may be a list or `*`.
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

/** Parses an HTTP date to seconds since 1970; NaN if it is invalid. */
function secondsOf(date: string): number {
  if (IMF_DATE.test(date) || RFC850_DATE.test(date)) return Date.parse(date) / 1000;
  return ASCTIME_DATE.test(date) ? Date.parse(`${date} GMT`) / 1000 : NaN;
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
