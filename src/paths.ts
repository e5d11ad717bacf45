/** Paths of services and datasets (contract, section 6). */
export const HUB_PATH = '/api/websub/hub';
export const MCP_PATH = '/mcp';
export const REVIEWS_PATH = '/reviews.json';
export const INSIGHTS_PATH = '/insights.json';
export const INSIGHTS_DIGEST_PATH = '/insights-digest.json';
export const JSON_FEED_PATH = '/api/feed.json';
export const ATOM_PATH = '/feed.xml';
export const SEARCH_PATH = '/api/reviews/search';
export const SINCE_PATH = '/api/reviews/since';
export const SECURITY_PATH = '/.well-known/security.txt';
export const SITEMAP_PATH = '/sitemap.xml';
export const OPENAPI_PATH = '/openapi.json';
export const SEARCH_PAGE_PATH = '/search/';
export const NOT_FOUND_PATH = '/404.html';

/** The topics of the hub (contract, section 6). */
export const TOPIC_PATHS = [ATOM_PATH, JSON_FEED_PATH, REVIEWS_PATH] as const;

/** Media types (contract, sections 1.5 and 6): the JSON Feed too is application/json. */
export const JSON_TYPE = 'application/json';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const ATOM_TYPE = 'application/atom+xml';
