import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { sinceWindow } from '../dataset/since.ts';
import { sha256, quoteDigest } from '../edition/etag.ts';
import {
  ASSET_HEADERS,
  CACHE_DATA,
  dataHeaders,
  DOCUMENT_HEADERS,
  pageHeaders,
  SECURITY_HEADERS,
} from '../http.ts';
import {
  manifest,
  MANIFEST_FILE,
  type Encoding,
  type Manifest,
  type Resource,
} from '../edition/manifest.ts';
import { ASSETS_PATH } from '../paths.ts';
import { documentsOf, resourceAt } from '../resources/catalogue.ts';
import { resourceHeaders } from '../resources/resource.ts';
import type { CodeInside } from './code-inside.ts';
import type { Publication } from './publication.ts';
import { compress, SUFFIX } from './compress.ts';
import { HEADERS_FILE, HTACCESS_FILE, NO_JEKYLL_FILE } from './headers-file.ts';

/** Media types of files that are no documents of the catalogue; those state their own. */
const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/png', // the name that browsers ask for; they take any picture
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Besides documents, what other sites and feed readers load. */
const LOADED_ELSEWHERE = ['/embed.js', '/feed.css'];

/**
 * Describes every file of a built folder in `edition.json`, and compresses those that become smaller,
 * unless there is no sidecar: hosts of files compress by themselves, and count files.
 * The manifest is written last, so that a folder with a manifest is complete.
 *
 * @param code what is in its pages instead of files
 */
export function writeEdition(folder: string, publication: Publication, code: CodeInside): Manifest {
  // Numbered as they come: thousands of resources share a handful.
  const headerSets = new Map<string, number>();
  const resources = listFiles(folder).map((file): Resource => {
    const headers = headersOf(urlPath(file), file, publication, code);
    const { 'content-type': type, ...rest } = headers;
    const set = JSON.stringify(rest);
    const number = headerSets.get(set) ?? headerSets.size;
    headerSets.set(set, number);
    return { ...describeFile(folder, file, type!, publication.sidecar), headers: number };
  });
  resources.sort((a, b) => (a.path < b.path ? -1 : 1));

  const { dataset, lastModified } = publication;
  const days = sinceWindow(publication);
  const described = manifest.parse({
    format: 1,
    edition: dataset.edition,
    base_url: publication.baseUrl,
    last_modified: `${new Date(lastModified * 1000).toISOString().slice(0, 19)}Z`,
    updated_at: dataset.updated_at,
    since: days.length === 0 ? null : { from: days.at(-1)!, to: days[0]! },
    names: publication.names,
    site: publication.site,
    header_sets: [...headerSets.keys()].map((set) => JSON.parse(set) as Record<string, string>),
    resources,
  } satisfies Manifest);
  writeFileSync(join(folder, MANIFEST_FILE), `${JSON.stringify(described)}\n`);
  return described;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => ![HEADERS_FILE, HTACCESS_FILE, NO_JEKYLL_FILE].includes(name))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .map((file) => file.split(sep).join('/'))
    .sort();
}

function describeFile(
  folder: string,
  file: string,
  type: string,
  isCompressed: boolean,
): Omit<Resource, 'headers'> {
  const bytes = readFileSync(join(folder, file));
  const encodings: Resource['encodings'] = {};
  const variants = isCompressed ? compress(bytes, type) : {};
  for (const encoding of Object.keys(variants) as Encoding[]) {
    const encoded = variants[encoding]!;
    const name = file + SUFFIX[encoding];
    writeFileSync(join(folder, name), encoded);
    encodings[encoding] = { file: name, size: encoded.length, sha256: sha256(encoded) };
  }
  const etag = quoteDigest(sha256(bytes));
  return { path: urlPath(file), file, type, size: bytes.length, etag, encodings };
}

/** `reviews/2026-05/index.html` is served at `/reviews/2026-05/`. */
function urlPath(file: string): string {
  return `/${encodeURI(file.replace(/(^|\/)index\.html$/, '$1'))}`;
}

/** Returns the headers of each document by its path, which may have a parameter. */
export function documentHeaders(
  publication: Publication,
): (readonly [path: string, headers: Record<string, string>])[] {
  return [
    ...LOADED_ELSEWHERE.map((path) => [path, dataHeaders(mediaType(path))] as const),
    ...documentsOf(publication).map(
      (resource) => [resource.path, resourceHeaders(resource, publication)] as const,
    ),
  ];
}

function headersOf(
  path: string,
  file: string,
  publication: Publication,
  code: CodeInside,
): Record<string, string> {
  const resource = resourceAt(path);
  if (resource) return resourceHeaders(resource, publication);
  if (file.endsWith('.html'))
    return pageHeaders(path, code.pages.has(file) ? code.sources : undefined);
  if (LOADED_ELSEWHERE.includes(path)) return dataHeaders(mediaType(file));
  return {
    'content-type': mediaType(file),
    'cache-control': CACHE_DATA,
    ...(path.startsWith(ASSETS_PATH) && ASSET_HEADERS),
    ...(file.endsWith('.svg') && DOCUMENT_HEADERS),
    ...SECURITY_HEADERS,
  };
}

/** @throws for a file without a known type: a guess would reach browsers */
export function mediaType(file: string): string {
  const type = MEDIA_TYPES[extname(file)];
  if (type === undefined) throw new Error(`${file}: no media type is known for it`);
  return type;
}
