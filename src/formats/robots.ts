import { SEARCH_PAGE_PATH, SITEMAP_PATH } from '../paths.ts';

/** Robots Exclusion Protocol (RFC 9309): everything may be read; searches lead to nothing new. */
export function robots(baseUrl: string): string {
  return [
    'User-agent: *',
    'Allow: /',
    `Disallow: ${SEARCH_PAGE_PATH}?`,
    '',
    `Sitemap: ${baseUrl}${SITEMAP_PATH}`,
    '',
  ].join('\n');
}
