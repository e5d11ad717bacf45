import {
  CACHE_DATA,
  CACHE_IMMUTABLE,
  DOCUMENT_HEADERS,
  POLICY_OF_ALL,
  SECURITY_HEADERS,
  STRICT_TRANSPORT,
} from '../http.ts';
import { ASSETS_PATH, EMBED_PATH } from '../paths.ts';

/** Read by static hosts (Netlify, Cloudflare); never served. */
export const HEADERS_FILE = '_headers';
/** Empty; without it, a branch of GitHub Pages leaves out folders such as `_astro`. Never served. */
export const NO_JEKYLL_FILE = '.nojekyll';

/** Headers of one route, by its pattern, e.g. `/services/[id]` or `/schemas/{name}.json`. */
export interface RouteHeaders {
  pattern: string;
  headers: Headers;
}

/**
 * The `_headers` file: one rule a route, dynamic parts as `*`, since hosts cap the number of rules.
 * Hosts apply every rule that matches, so no header is in two rules that can meet.
 *
 * @param base the path of the site
 */
export function headersFile(routes: readonly RouteHeaders[], base: string): string {
  const everywhere: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...DOCUMENT_HEADERS,
    'content-security-policy': POLICY_OF_ALL,
    'strict-transport-security': STRICT_TRANSPORT,
  };
  const rules = new Map<string, Record<string, string>>([
    ['/*', everywhere],
    [`${ASSETS_PATH}*`, { 'cache-control': CACHE_IMMUTABLE }],
  ]);
  for (const { pattern, headers } of routes) {
    const own = [...headers].filter(
      ([name, value]) => !(name in everywhere) && !isPage(name, value),
    );
    const path = rulePath(pattern, headers);
    rules.set(path, {
      'cache-control': CACHE_DATA,
      ...Object.fromEntries(own),
      ...(isUnframed(path, headers) && { 'x-frame-options': 'DENY' }),
    });
  }
  for (const [path, headers] of rules) {
    for (const [wider, known] of rules) {
      const covers = wider !== path && wider.endsWith('*') && path.startsWith(wider.slice(0, -1));
      if (covers) for (const name of Object.keys(known)) delete headers[name];
    }
  }
  return [...rules]
    .filter(([, headers]) => Object.keys(headers).length > 0)
    .map(([path, headers]) => [base + path, ...Object.entries(headers).map(toLine)].join('\n'))
    .join('\n\n')
    .concat('\n');
}

/**
 * Pages are folders, so their addresses end with a slash; dynamic parts are wildcards, of which
 * hosts allow one: the first one of a page stands for all that follows.
 */
function rulePath(pattern: string, headers: Headers): string {
  const path = pattern.replace(/\{\w+\}|\[[^\]]+\](\/\[.*)?/g, '*');
  const isFolder = isPage('content-type', headers.get('content-type') ?? '');
  return isFolder && !/[/*]$/.test(path) ? `${path}/` : path;
}

/** One rule states the policy, and another, for pages alone, that they are in no frame (RFC 7034). */
function isUnframed(path: string, headers: Headers): boolean {
  return isPage('content-type', headers.get('content-type') ?? '') && !path.startsWith(EMBED_PATH);
}

/** Hosts know the type of a page, and its charset, by themselves. */
function isPage(name: string, value: string): boolean {
  return name === 'content-type' && value.startsWith('text/html');
}

function toLine([name, value]: [string, string]): string {
  return `  ${name}: ${value}`;
}
