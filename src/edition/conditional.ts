/**
 * The strong ETag and the time of a resource; `lastModified` in seconds since 1970, the precision of HTTP dates.
 */
export interface Validators {
  etag: string;
  lastModified?: number | undefined;
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;
/** An entity tag as it may arrive: in quotes that are escaped or doubled, or without both or one. */
const LOOSE_TAG = /(?:W\/)?\\?"+[^"]*?\\?"+|(?<=^|[\s,])"?[^\s",]+"?(?=$|[\s,])/g;
const MARKS = /^(?:W\/)?(?:["'\\]|%22|&quot;)*|(?:["'\\]|%22|&quot;)*$/gi;
/** Ending that a front adds where it compresses: Apache `-gzip`, Jetty `--gzip`, others `;gzip`. */
const ADDED = /(?:-+|[;/:])(gzip|br|deflate|zstd)$/;
/**
 * The current date format and the two obsolete ones (RFC 9110, section 5.6.7), also with another zone or with
 * the length of a file, as clients write them.
 */
const DATE =
  /^([a-z]{3,9},? (?:\d\d?[ -][a-z]{3}[ -]\d{2,4}|[a-z]{3} [ \d]\d) \d\d:\d\d:\d\d(?: \d{4})?)(?: (gmt|utc|[+-]\d\d:?\d\d))?(?:;.*)?$/i;

/**
 * Evaluates the conditions of a GET or HEAD in the order of RFC 9110, section 13.2.2: If-Match, or
 * else If-Unmodified-Since; then If-None-Match, or else If-Modified-Since.
 *
 * @returns the status that they end the request with, if any
 */
export function conditionStatus(
  headers: Pick<Headers, 'get'>,
  { etag, lastModified = NaN }: Validators,
): 304 | 412 | undefined {
  const ifMatch = headers.get('if-match');
  const isChanged =
    ifMatch === null
      ? lastModified > secondsOf(headers.get('if-unmodified-since'))
      : ifMatch.trim() !== '*' && !(ifMatch.match(ENTITY_TAG) as string[] | null)?.includes(etag);
  if (isChanged) return 412;
  const ifNoneMatch = headers.get('if-none-match');
  const isKnown =
    ifNoneMatch === null
      ? lastModified <= secondsOf(headers.get('if-modified-since'))
      : isListed(ifNoneMatch, etag);
  return isKnown ? 304 : undefined;
}

/**
 * Compares weakly (section 8.8.3.2), and loosely: a client may have lost the quotes, and a front may have
 * added the name of an encoding.
 */
function isListed(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  const own = etag.slice(1, -1);
  return (header.match(LOOSE_TAG) ?? []).some((given) => {
    let tag = given.replaceAll(MARKS, '').replace(ADDED, '-$1');
    while (tag !== own && ADDED.test(tag)) tag = tag.replace(ADDED, '').replace(ADDED, '-$1');
    return tag === own;
  });
}

/** Returns the ETag of an encoded variant, which is another representation and needs its own. */
export function variantETag(etag: string, encoding: string): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}

/** Parses an HTTP date to seconds since 1970; NaN if it is missing or invalid. */
function secondsOf(date: string | null): number {
  const [, day, zone = 'GMT'] = DATE.exec(date ?? '') ?? [];
  return day === undefined ? NaN : Date.parse(`${day} ${zone}`) / 1000;
}
