import { CACHE_IMMUTABLE, pageHeaders } from '../edition/headers.ts';

/** Read by static hosts (Netlify, Cloudflare); never served. */
export const HEADERS_FILE = '_headers';

/** Headers of one route, by its pattern, e.g. `/api/reviews/since/[date]`. */
export interface RouteHeaders {
  pattern: string;
  headers: Headers;
}

/**
 * The `_headers` file: one rule a route, dynamic parts as `*`, since hosts cap the number of rules.
 * Every matching rule applies, so an endpoint's rule takes back what pages get and it does not.
 */
export function headersFile(routes: readonly RouteHeaders[]): string {
  const { 'content-type': _, ...page } = pageHeaders();
  const rules = new Map<string, Record<string, string>>([
    ['/*', page],
    ['/_astro/*', { '! cache-control': '', 'cache-control': CACHE_IMMUTABLE }],
  ]);
  for (const { pattern, headers } of routes) {
    if (!headers.has('cache-control')) continue;
    rules.set(pattern.replace(/\[[^\]]+\]/g, '*'), {
      ...Object.fromEntries(Object.keys(page).map((name) => [`! ${name}`, ''])),
      ...Object.fromEntries([...headers].sort()),
    });
  }
  return [...rules].map(([path, headers]) => `${path}\n${lines(headers)}`).join('\n');
}

function lines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => (name.startsWith('! ') ? `  ${name}\n` : `  ${name}: ${value}\n`))
    .join('');
}
