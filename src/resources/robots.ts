import { basePath, SEARCH_PAGE_PATH, TEXT_TYPE } from '../paths.ts';
import { licenseLines } from './license.ts';
import { SITEMAP } from './sitemap.ts';
import { documentResource } from './resource.ts';

export const ROBOTS = documentResource({
  id: 'getRobots',
  path: '/robots.txt',
  type: TEXT_TYPE,
  tag: 'Service',
  title: 'Rules for crawlers',
  description:
    'RFC 9309: everything may be crawled except pages of searches. States the license of the data, if there is one.',
  build: ({ baseUrl, dataset }) =>
    [
      'User-agent: *',
      'Allow: /',
      // Searches lead to nothing new, in any language.
      `Disallow: ${basePath(baseUrl)}${SEARCH_PAGE_PATH}?`,
      `Disallow: ${basePath(baseUrl)}/*${SEARCH_PAGE_PATH}?`,
      ...licenseLines(dataset.license, baseUrl),
      '',
      `Sitemap: ${baseUrl}${SITEMAP.path}`,
      '',
    ].join('\n'),
});
