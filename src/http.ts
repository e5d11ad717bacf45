import { EMBED_PATH, HUB_PATH, TEXT_TYPE } from './paths.ts';

/** Response headers, shared by files and sidecar. */

export type HeaderPairs = [name: string, value: string][];

/** Data and feeds: one minute in clients, five in a CDN, then stale while it revalidates. */
export const CACHE_DATA = 'public, max-age=60, s-maxage=300, stale-while-revalidate=600';
/** Files with their hash in the name (RFC 8246). */
const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';
export const CACHE_SEARCH = 'public, max-age=30';
export const CACHE_MOVED = 'public, max-age=3600';
/** Errors, and responses that are only valid now. */
export const CACHE_NOTHING = 'no-store';
/** Clients and caches must ask the origin each time. */
export const CACHE_REVALIDATED = 'no-cache';
/** Seconds for which a browser keeps the response to a preflight request. */
export const PREFLIGHT_SECONDS = '86400';

/** Everything is public, so any page may embed it, even one that is isolated from other origins. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Browsers use https for a year, and ignore it over http (RFC 6797, section 8.1). */
export const STRICT_TRANSPORT = 'max-age=31536000';

/** The code in the pages of a site, each as a source of its hash. */
export interface InlineCode {
  script: string;
  style: string;
}

/**
 * Returns the policy of every document: nothing from other origins except pictures over https, and
 * nothing inline but the code that is named.
 */
export const policyOfAll = ({ script = '', style = '' }: Partial<InlineCode> = {}) =>
  [
    "default-src 'none'",
    `script-src 'self' ${script}`.trim(),
    `style-src 'self' ${style}`.trim(),
    "img-src 'self' https: data:",
    "font-src 'self'",
    "frame-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ');

/** The policy of a site without inline code. */
export const POLICY_OF_ALL = policyOfAll();

const documentHeaders = (inline?: InlineCode) => ({
  'content-security-policy': `${policyOfAll(inline)}; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
});

/** Headers of everything a browser opens as a document: pages, feeds, other XML and SVG. */
export const DOCUMENT_HEADERS = documentHeaders();

/** Scripts, styles and fonts of a page in a sandboxed frame are requested by the origin `null`. */
export const ASSET_HEADERS = {
  'cache-control': CACHE_IMMUTABLE,
  'access-control-allow-origin': '*',
} as const;

/** The headers of responses that pages of other sites may read. */
export const EXPOSED_HEADERS =
  'ETag, Last-Modified, Link, Retry-After, Accept-Ranges, Content-Range, X-Request-Id, Mcp-Session-Id, Mcp-Protocol-Version';

/** Any site may read (Fetch standard, section 3.3), because nothing is private. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
} as const;

/**
 * Returns the Link header by which subscribers discover the hub (WebSub, section 4). The topic comes
 * first: some subscribers read only the first link.
 */
export function topicLinks(baseUrl: string, path: string, hub = baseUrl + HUB_PATH): string {
  return `<${baseUrl}${path}>; rel="self", <${hub}>; rel="hub"`;
}

/** Returns the headers of a JSON or feed resource, for files and the sidecar's responses alike. */
export function dataHeaders(type: string, cacheControl = CACHE_DATA): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': cacheControl,
    ...CORS_HEADERS,
    ...SECURITY_HEADERS,
  };
}

/** Returns the headers of plain text for robots and assistants. */
export function textHeaders(): Record<string, string> {
  return { 'content-type': TEXT_TYPE, 'cache-control': CACHE_DATA, ...SECURITY_HEADERS };
}

/**
 * Returns the headers of a page.
 *
 * @param path absent for pages that are no files
 */
export function pageHeaders(path = '/', inline?: InlineCode): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': CACHE_DATA,
    ...documentHeaders(inline),
    ...(path.startsWith(EMBED_PATH) && { 'content-security-policy': policyOfAll(inline) }),
    ...SECURITY_HEADERS,
  };
}
