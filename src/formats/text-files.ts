import {
  DEVELOPERS_PATH,
  OPENAPI_PATH,
  SEARCH_PAGE_PATH,
  SECURITY_PATH,
  SITEMAP_PATH,
  sitemapPartPath,
} from '../paths.ts';
import type { Business } from '../schema/business.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import { oneLine } from '../schema/invisible.ts';
import { escapeHtml } from './feed.ts';
import { OPERATIONS } from './openapi/operations.ts';

/** Writes llms.txt (https://llmstxt.org), an overview for AI assistants. */
export function llmsText(dataset: ReviewsDataset, baseUrl: string): string {
  const { aggregate_rating: rating, business, coverage, license } = dataset;
  const name = oneLine(business.name);
  const category = oneLine(business.category);
  const value = rating.rating_value === null ? '' : `, ${rating.rating_value} of 5 stars`;
  const links = OPERATIONS.filter(
    ({ method, path, answers }) => method === 'get' && !path.includes('{') && !(404 in answers),
  ).map(({ path, summary, description }) => `- [${summary}](${baseUrl}${path}): ${description}`);
  const others = OPERATIONS.filter(
    ({ method, path }) => method === 'post' || path.includes('{'),
  ).map(
    ({ method, path, description }) =>
      `- \`${method.toUpperCase()} ${baseUrl}${path}\`: ${description}`,
  );
  return `# Reviews of ${name}

> ${coverage.published} verified customer reviews of ${name} (${category})${value}, from ${coverage.earliest ?? 'no day'} to ${coverage.latest ?? 'no day'}, with what they praise and criticize. Public and read-only: no key, no account, send no Authorization header.

${oneLine(license.terms)}${license.id === null ? '' : ` ${license.url}`}

Quote a review with its permalink (the field \`url\`). ${coverage.known - coverage.published} of ${coverage.known} known reviews are left out; \`coverage\` in reviews.json says why. Poll with If-None-Match: an unchanged response is an empty 304.

## Data

${links.join('\n')}

## Requests

${others.join('\n')}

## Guides

- [For developers](${baseUrl}${DEVELOPERS_PATH}): every endpoint with a real response, MCP setup, WebSub, data model
- [OpenAPI 3.1](${baseUrl}${OPENAPI_PATH}): the same for programs
- [Search page](${baseUrl}${SEARCH_PAGE_PATH}): for people
`;
}

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

/** RFC 9116, section 2.5.5, recommends less than a year. */
const SECURITY_VALID_MS = 364 * 86_400_000;

/**
 * Writes security.txt (RFC 9116). It expires 364 days after the edition, or after as many such
 * periods as have passed: the file of an abandoned site expires, and that of an old commit is valid
 * when it is built.
 *
 * @param lastModified time of the edition, in seconds since 1970
 * @param now milliseconds since 1970; builds within one period write the same bytes
 */
export function securityText(
  business: Business,
  baseUrl: string,
  lastModified: number,
  now: number,
): string {
  const contact = business.email ? `mailto:${business.email}` : (business.url ?? `${baseUrl}/`);
  const edition = lastModified * 1000;
  const passed = Math.floor(Math.max(0, now - edition) / SECURITY_VALID_MS);
  const expires = new Date(edition + (passed + 1) * SECURITY_VALID_MS);
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().slice(0, 19)}Z`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}${SECURITY_PATH}`,
    '',
  ].join('\n');
}

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
    path: sitemapPartPath(part + 1),
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
