import {
  ASSET_HEADERS,
  CACHE_DATA,
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

/**
 * The `_headers` file: one rule for the pages below each folder and one for each kind of document,
 * since hosts cap the number of rules. Hosts apply every rule that matches, so no header is in two
 * rules that can meet.
 *
 * @param pages paths of all pages
 * @param documents headers by path, which may have a parameter: `/schemas/{name}.json`
 * @param base the path of the site
 */
export function headersFile(
  pages: readonly string[],
  documents: readonly (readonly [path: string, headers: Record<string, string>])[],
  base: string,
): string {
  const everywhere: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...DOCUMENT_HEADERS,
    'content-security-policy': POLICY_OF_ALL,
    'strict-transport-security': STRICT_TRANSPORT,
  };
  const rules = new Map<string, Record<string, string>>([
    ['/*', everywhere],
    [`${ASSETS_PATH}*`, { ...ASSET_HEADERS }],
  ]);
  for (const page of pages) {
    // One rule states the policy, and another, for pages alone, that they are in no frame (RFC 7034).
    const unframed = page.startsWith(EMBED_PATH) ? {} : { 'x-frame-options': 'DENY' };
    const path = page.replace(/(?<=^\/[^/]+\/).*/, '*');
    rules.set(path, { 'cache-control': CACHE_DATA, ...unframed });
  }
  for (const [path, headers] of documents) {
    const own = Object.entries(headers).filter(([name]) => !(name in everywhere));
    rules.set(path.replace(/\{\w+\}/, '*'), Object.fromEntries(own));
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

function toLine([name, value]: [string, string]): string {
  return `  ${name}: ${value}`;
}
