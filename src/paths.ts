import type { SearchFilters } from './schema/search.ts';

// Paths that several folders need; those of other documents are in src/resources. Those of the contract
// (section 6) never change. All begin at the address of the site, which may be a path on its origin.

/** Returns the path of the site on its origin: `/reviews`, or nothing at the root. */
export function basePath(siteUrl: string): string {
  return new URL(siteUrl).pathname.replace(/\/$/, '');
}

/** Tells if an address is one that a site may have: an origin, or a path of plain names on it. */
export function isSiteUrl(address: string | null): address is string {
  return address !== null && /^https?:\/\/[^/?#@\\\s]+(\/[\w~-][\w.~-]*)*$/.test(address);
}

export const REVIEWS_PATH = '/reviews.json';
export const NDJSON_PATH = '/reviews.ndjson';
export const CSV_PATH = '/reviews.csv';
export const SQLITE_PATH = '/reviews.sqlite';
export const INSIGHTS_PATH = '/insights.json';
export const INSIGHTS_INPUTS_PATH = '/insights-inputs.json';
export const INSIGHTS_DIGEST_PATH = '/insights-digest.json';
export const REVIEW_LABELS_PATH = '/review-labels.json';
export const PROVENANCE_PATH = '/provenance.json';
export const JSON_FEED_PATH = '/api/feed.json';
export const ATOM_PATH = '/feed.xml';
export const SEARCH_PATH = '/api/reviews/search';
export const COUNT_PATH = '/api/reviews/count';
export const SINCE_PATH = '/api/reviews/since';
export const MCP_PATH = '/mcp';
export const HUB_PATH = '/api/websub/hub';
export const OPENAPI_PATH = '/openapi.json';
export const LLMS_PATH = '/llms.txt';
export const SHARE_IMAGE_PATH = '/open-graph.png';
export const EDITION_PATH = '/edition.json';
export const EDITION_SIGNATURE_PATH = '/edition-signature.json';
export const EDITION_KEY_PATH = '/.well-known/reviews-edition-key.json';
export const JOURNAL_PATH = '/journal.json';
export const CHANGES_PATH = '/changes.json';
export const MCP_APP_PATH = '/mcp-app.json';
export const OEMBED_PATH = '/oembed.json';
/** Paths that people and programs try, and the paths that answer. */
export const USUAL_PATHS = {
  '/health': '/healthz',
  '/rss': '/feed.xml',
  '/openapi.yaml': '/openapi.json',
  '/mcp/server-card': '/.well-known/mcp/server-card.json',
} as const;
export const HEALTH_PATH = '/healthz';
export const READINESS_PATH = '/readyz';

/** The topics that every edition has (contract, section 6). */
export const CONTRACT_TOPIC_PATHS = [ATOM_PATH, JSON_FEED_PATH, REVIEWS_PATH] as const;

/** The topics of the hub. */
export const TOPIC_PATHS = [...CONTRACT_TOPIC_PATHS, CHANGES_PATH] as const;

export const ARCHIVE_PATH = '/reviews/';
export const INSIGHTS_PAGE_PATH = '/insights/';
export const FAQ_PATH = '/faq/';
export const SEARCH_PAGE_PATH = '/search/';
/** The program that searches in a browser, on a site without a sidecar. */
export const SEARCH_WORKER_PATH = '/search-worker.js';
export const DEVELOPERS_PATH = '/developers/';
export const DATA_MODEL_PATH = `${DEVELOPERS_PATH}data-model/`;
export const METHOD_PATH = '/method/';
export const POLICY_PATH = '/policy/';
export const METHOD_CHECK_PATH = `${METHOD_PATH}check/`;
/** Pages that any site may show in a frame. */
export const EMBED_PATH = '/embed/';
export const NOT_FOUND_PATH = '/404.html';

/** Scripts, styles and fonts whose name carries their hash. */
export const ASSETS_PATH = '/_astro/';

/** The pages that every language of a site has, each a file of src/pages. */
export const TRANSLATED_PAGES = [
  'index',
  'faq',
  'policy',
  'insights/index',
  'insights/[aspect]',
  'method/index',
  'reviews/index',
  'reviews/[month]/index',
  'reviews/[month]/[page]',
  'search/index',
  'services/[id]',
  'technicians/[id]',
] as const;

/** Tells whether an address, from its path on, is that of a page that every language has. */
export function isTranslated(address: string): boolean {
  return /^\/(?:(?:faq|policy|method|insights|search|(?:insights|services|technicians)\/[^/]+|reviews(?:\/\d{4}-\d\d(?:\/\d+)?)?)\/)?(?:[?#].*)?$/.test(
    address,
  );
}

/** Returns the JSON Schema of a document. */
export function schemaPath(name: string): string {
  return `/schemas/${name}.json`;
}

/** Reviews on one page of a month. */
export const MONTH_PAGE_LENGTH = 100;

/**
 * `2026-05-14` or `2026-05` → the page of that month's reviews.
 *
 * @param page of a month that needs several
 */
export function monthPath(date: string, page = 1): string {
  return `${ARCHIVE_PATH}${date.slice(0, 7)}/${page > 1 ? `${page}/` : ''}`;
}

/** Returns the page of a review, its permalink. */
export function reviewPath(id: string): string {
  return `${ARCHIVE_PATH}${id}/`;
}

/** Returns the document of a review. */
export function reviewDocumentPath(id: string): string {
  return `${ARCHIVE_PATH}${id}.json`;
}

/** Returns the logo of the business. */
export function logoPath(type: 'svg' | 'png'): string {
  return `/logo.${type}`;
}

/**
 * @param month `2026-05`
 * @param page number of a page before the newest one of the month
 */
export function monthChangesPath(month: string, page?: number): string {
  return `/changes/${page === undefined ? month : `${month}-${page}`}.json`;
}

/** @param id as in insights.json, e.g. `technical_knowledge` */
export function aspectPath(id: string): string {
  return `${INSIGHTS_PAGE_PATH}${id}/`;
}

/** @param tag a section of the OpenAPI document, e.g. `WebSub` */
export function developersPath(tag: string): string {
  return `${DEVELOPERS_PATH}${tag.toLowerCase()}/`;
}

/** Returns where an operation is described for people. */
export function operationPath(tag: string, id: string): string {
  return `${developersPath(tag)}#${id}`;
}

/** Returns where the fields of a document are described for people. */
export function schemaFieldsPath(name: string): string {
  return `${DATA_MODEL_PATH}#schema-${name}`;
}

export function technicianPath(id: string): string {
  return `/technicians/${id}/`;
}

export function servicePath(id: string): string {
  return `/services/${id}/`;
}

/** Returns the search page with these filters filled in. */
export function searchPath(filters: Partial<SearchFilters>): string {
  const parameters = Object.entries(filters).map(([name, value]) => [name, String(value)]);
  return `${SEARCH_PAGE_PATH}?${new URLSearchParams(parameters)}`;
}

/** Filters whose lists are files on a site without a sidecar. */
export type ListFilter = 'rating' | 'aspect';

/** Returns the list of the reviews that pass a filter, on a site without a sidecar. */
export function listPath(name: ListFilter, value: string, page = 1): string {
  return `${SEARCH_PAGE_PATH}${name}-${value}/${page > 1 ? `${page}/` : ''}`;
}

/** Media types (contract, sections 1.5 and 6): the JSON Feed too is application/json. */
export const JSON_TYPE = 'application/json';
export const NDJSON_TYPE = 'application/x-ndjson';
export const CSV_TYPE = 'text/csv; charset=utf-8';
export const SQLITE_TYPE = 'application/vnd.sqlite3';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const SVG_TYPE = 'image/svg+xml';
export const ATOM_TYPE = 'application/atom+xml';
