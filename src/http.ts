import { HUB_PATH, TEXT_TYPE } from './paths.ts';

/** Headers of responses, stated once for files and sidecar. */

/** Data and feeds: a minute in clients, five in a CDN, then stale while it asks again. */
export const CACHE_DATA = 'public, max-age=60, s-maxage=300, stale-while-revalidate=600';
/** Files whose name carries their hash (RFC 8246). */
export const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';
export const CACHE_SEARCH = 'public, max-age=30';

export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
} as const;

/** One policy for every page: nothing inline, nothing foreign, but pictures over https. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Any site may read (Fetch standard, section 3.3); there is nothing to protect by origin. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Last-Modified, Link, Retry-After, Mcp-Session-Id',
} as const;

/** Discovery of the hub from a topic (WebSub, section 4). */
export function topicLinks(baseUrl: string, path: string): string {
  return `<${baseUrl}${HUB_PATH}>; rel="hub", <${baseUrl}${path}>; rel="self"`;
}

/** The headers of a JSON or feed resource, whether a file or an answer of the sidecar. */
export function dataHeaders(type: string, cacheControl = CACHE_DATA): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': cacheControl,
    ...CORS_HEADERS,
    ...SECURITY_HEADERS,
  };
}

/** The headers of what robots and assistants read as plain text. */
export function textHeaders(): Record<string, string> {
  return { 'content-type': TEXT_TYPE, 'cache-control': CACHE_DATA, ...SECURITY_HEADERS };
}

/** The headers of a page. */
export function pageHeaders(): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': CACHE_DATA,
    'content-security-policy': CONTENT_SECURITY_POLICY,
    ...SECURITY_HEADERS,
  };
}
