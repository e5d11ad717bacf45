import { SEARCH_PAGE_PATH, SITEMAP_PATH } from '../paths.ts';

/**
 * Writes robots.txt (RFC 9309): everything may be crawled except searches, which lead to nothing
 * new.
 */
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
