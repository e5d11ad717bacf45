import { escapeHtml } from './feed.ts';
import { documentResource } from './resource.ts';

/** Written by `src/build/add-files.ts`, once all pages are rendered. */
export const SITEMAP = documentResource({
  id: 'getSitemap',
  path: '/sitemap.xml',
  type: 'application/xml',
  tag: 'Service',
  title: 'The pages of the site',
  description: 'The format of sitemaps.org.',
});

/** A sitemap may have no more addresses; crawlers find the others by the pages of the months. */
const MAX_ADDRESSES = 50_000;

/** Writes the sitemap (https://www.sitemaps.org/protocol.html) of paths. */
export function sitemapXml(baseUrl: string, paths: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths
      .slice(0, MAX_ADDRESSES)
      .map((path) => `  <url><loc>${escapeHtml(baseUrl + path)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n');
}
