import {
  CACHE_DATA,
  CACHE_IMMUTABLE,
  CONTENT_SECURITY_POLICY,
  SECURITY_HEADERS,
} from '../edition/headers.ts';

/** Read by static hosts (Netlify, Cloudflare); never served. */
export const HEADERS_FILE = '_headers';

/** Headers of one route, by its pattern, e.g. `/api/reviews/since/[date]`. */
export interface RouteHeaders {
  pattern: string;
  headers: Headers;
}

/**
 * The `_headers` file: one rule a route, dynamic parts as `*`, since hosts cap the number of rules.
 * Hosts apply every rule that matches, so no header stands in two rules that can meet.
 */
export function headersFile(routes: readonly RouteHeaders[]): string {
  const everywhere: Record<string, string> = {
    ...SECURITY_HEADERS,
    'content-security-policy': CONTENT_SECURITY_POLICY,
  };
  const rules = new Map<string, Record<string, string>>([
    ['/*', everywhere],
    ['/_astro/*', { 'cache-control': CACHE_IMMUTABLE }],
  ]);
  for (const { pattern, headers } of routes) {
    const own = [...headers].filter(
      ([name, value]) => !(name in everywhere) && !isPage(name, value),
    );
    rules.set(pattern.replace(/\[[^\]]+\]/g, '*'), {
      'cache-control': CACHE_DATA,
      ...Object.fromEntries(own),
    });
  }
  return [...rules]
    .map(([path, headers]) => [path, ...Object.entries(headers).map(toLine)].join('\n'))
    .join('\n\n')
    .concat('\n');
}

/** Hosts know the type of a page, and its charset, by themselves. */
function isPage(name: string, value: string): boolean {
  return name === 'content-type' && value.startsWith('text/html');
}

function toLine([name, value]: [string, string]): string {
  return `  ${name}: ${value}`;
}
