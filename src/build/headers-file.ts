import {
  ASSET_HEADERS,
  CACHE_DATA,
  DOCUMENT_HEADERS,
  POLICY_OF_ALL,
  SECURITY_HEADERS,
  STRICT_TRANSPORT,
} from '../http.ts';
import { ASSETS_PATH, EMBED_PATH, NOT_FOUND_PATH } from '../paths.ts';

/** Read by static hosts (Netlify, Cloudflare); never served. */
export const HEADERS_FILE = '_headers';
/** Read by Apache and LiteSpeed; never served. */
export const HTACCESS_FILE = '.htaccess';
/** Empty; without it, a branch of GitHub Pages leaves out folders such as `_astro`. Never served. */
export const NO_JEKYLL_FILE = '.nojekyll';

type DocumentHeaders = readonly (readonly [path: string, headers: Record<string, string>])[];

const EVERYWHERE: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  ...DOCUMENT_HEADERS,
  'content-security-policy': POLICY_OF_ALL,
  'strict-transport-security': STRICT_TRANSPORT,
};

function beyondAll(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !(name in EVERYWHERE)));
}

/**
 * The `_headers` file: one rule for the pages below each folder and one for each kind of document,
 * since hosts cap the number of rules. Hosts apply every rule that matches, so no header is in two
 * rules that can meet.
 *
 * @param pages paths of all pages
 * @param documents headers by path, which may have a parameter: `/schemas/{name}.json`
 * @param base the path of the site
 * @param shared further headers of every response
 */
export function headersFile(
  pages: readonly string[],
  documents: DocumentHeaders,
  base: string,
  shared: Record<string, string> = {},
): string {
  const rules = new Map<string, Record<string, string>>([
    ['/*', { ...EVERYWHERE, ...shared }],
    [`${ASSETS_PATH}*`, { ...ASSET_HEADERS }],
  ]);
  for (const page of pages) {
    // One rule states the policy, and another, for pages alone, that they are in no frame (RFC 7034).
    const unframed = page.startsWith(EMBED_PATH) ? {} : { 'x-frame-options': 'DENY' };
    const path = page.replace(/(?<=^\/[^/]+\/).*/, '*');
    rules.set(path, { 'cache-control': CACHE_DATA, ...unframed });
  }
  for (const [path, headers] of documents) {
    rules.set(path.replace(/\{\w+\}/, '*'), beyondAll(headers));
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

/**
 * The `.htaccess` file, for hosts that know files by their names alone: the page for what is not there, no
 * lists of folders, and the headers of `_headers`. It has no directive but those of "AllowOverride
 * FileInfo": where a host forbids one, it answers every request with 500.
 *
 * @param pages paths of all pages
 * @param base the path of the site
 * @param shared further headers of every response
 */
export function htaccessFile(
  pages: readonly string[],
  documents: DocumentHeaders,
  base: string,
  shared: Record<string, string> = {},
): string {
  const patterns = documents.map(([path, headers]) => {
    const name = path.slice(path.lastIndexOf('/') + 1).replaceAll('.', '\\.');
    return [name.replace(/\{\w+\}/, '[\\w-]+'), beyondAll(headers)] as const;
  });
  // Of the sections that match a file the last one counts, so names follow patterns.
  const families = patterns.filter(([pattern]) => pattern.includes('['));
  const sections = [...new Map([...families, ...patterns])].map(
    ([pattern, { 'content-type': type, ...headers }]) =>
      section(pattern, [`  ForceType "${type}"`, ...setHeaders(headers)]),
  );
  const paths = [...documents.map(([path]) => path), ASSETS_PATH, EMBED_PATH];
  const folders = new Set(paths.flatMap(foldersAbove)).difference(new Set(pages));
  const unlisted = [...folders].map((folder) => folder.slice(0, -1).replaceAll('.', '\\.'));
  return [
    `ErrorDocument 404 ${base}${NOT_FOUND_PATH}`,
    'AddCharset utf-8 .html .css .js .txt',
    '<IfModule mod_alias.c>',
    `  RedirectMatch 404 "/(${HEADERS_FILE}|\\${HTACCESS_FILE}|\\${NO_JEKYLL_FILE})$"`,
    `  RedirectMatch 404 "^${base}(${unlisted.join('|')})/?$"`,
    '</IfModule>',
    ...setHeaders({ ...EVERYWHERE, ...shared }),
    `SetEnvIf Request_URI "^${base}${ASSETS_PATH}" asset`,
    ...setHeaders(ASSET_HEADERS, ' env=asset'),
    `SetEnvIf Request_URI "^${base}${EMBED_PATH}" framed`,
    section('.*\\.html', [
      ...setHeaders({ 'cache-control': CACHE_DATA }),
      ...setHeaders({ 'x-frame-options': 'DENY' }, ' env=!framed'),
    ]),
    ...sections,
  ]
    .join('\n')
    .concat('\n');
}

/** Returns the folders that a path is in: `/a/b/c` → `/a/`, `/a/b/`. */
function foldersAbove(path: string): string[] {
  return [...path.matchAll(/\//g)].slice(1).map(({ index }) => path.slice(0, index + 1));
}

function section(pattern: string, lines: readonly string[]): string {
  return [`<FilesMatch "^${pattern}$">`, ...lines, '</FilesMatch>'].join('\n');
}

function setHeaders(headers: Readonly<Record<string, string>>, condition = ''): string[] {
  const lines = Object.entries(headers).map(
    ([name, value]) => `  Header set ${name} "${value.replaceAll('"', '\\"')}"${condition}`,
  );
  return ['  <IfModule mod_headers.c>', ...lines, '  </IfModule>'];
}
