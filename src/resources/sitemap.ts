import { escapeHtml } from './feed.ts';
import { documentResource } from './resource.ts';

export const SITEMAP_PATH = '/sitemap.xml';

/** Written by `src/build/add-files.ts`, once all pages are rendered. */
export const SITEMAP = documentResource({
  id: 'getSitemap',
  path: SITEMAP_PATH,
  type: 'application/xml',
  tag: 'Service',
  title: 'The pages of the site',
  description: 'The format of sitemaps.org.',
});

/** Most addresses in one sitemap (https://www.sitemaps.org/protocol.html#index). */
const SITEMAP_LENGTH = 50_000;

/**
 * Writes the sitemap (https://www.sitemaps.org/protocol.html) of paths: one file, or an index and
 * the files it lists.
 *
 * @returns files by path
 */
export function sitemaps(
  baseUrl: string,
  paths: readonly string[],
  most = SITEMAP_LENGTH,
): Map<string, string> {
  const locations = (element: string, paths: readonly string[]) =>
    paths.map((path) => `  <${element}><loc>${escapeHtml(baseUrl + path)}</loc></${element}>`);
  const urls = locations('url', paths);
  if (urls.length <= most) return new Map([[SITEMAP_PATH, sitemapXml('urlset', urls)]]);
  const parts = Array.from({ length: Math.ceil(urls.length / most) }, (_, part) => ({
    path: `/sitemap-${part + 1}.xml`,
    xml: sitemapXml('urlset', urls.slice(part * most, (part + 1) * most)),
  }));
  const index = locations(
    'sitemap',
    parts.map(({ path }) => path),
  );
  return new Map([
    [SITEMAP_PATH, sitemapXml('sitemapindex', index)],
    ...parts.map(({ path, xml }) => [path, xml] as const),
  ]);
}

function sitemapXml(element: 'urlset' | 'sitemapindex', lines: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...lines,
    `</${element}>`,
    '',
  ].join('\n');
}
