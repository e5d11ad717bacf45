import { z } from 'zod';
import { wordingOf } from '../messages/wording.ts';
import { EMBED_PATH, SHARE_IMAGE_PATH } from '../paths.ts';
import { jsonExample } from './json-text.ts';
import { monthsOf } from './history.ts';
import { documentResource, json, type Instance } from './resource.ts';
import type { Source } from './source.ts';

/** A frame of this size shows the distribution and two reviews. */
const FRAME = { width: 400, height: 600 } as const;
const CACHE_SECONDS = 3600;

const shared = {
  version: z.literal('1.0'),
  title: z.string(),
  provider_name: z.string(),
  provider_url: z.string(),
  cache_age: z.int().describe('Seconds.'),
};
const siteEmbed = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...shared,
      type: z.literal('rich'),
      html: z.string().describe('A frame with all that the site shows first.'),
      width: z.int(),
      height: z.int(),
    }),
    z.strictObject({
      ...shared,
      type: z.literal('link'),
      thumbnail_url: z.string(),
      thumbnail_width: z.int(),
      thumbnail_height: z.int(),
    }),
  ])
  .meta({ title: 'Site embed', description: 'A page for sites that embed it (oEmbed 1.0).' });
type SiteEmbed = z.infer<typeof siteEmbed>;

export const SITE_EMBED = documentResource({
  id: 'getSiteEmbed',
  path: '/oembed.json',
  tag: 'Embed',
  title: 'The site, for sites that embed it',
  description:
    'oEmbed 1.0, type rich: a frame with the rating, the distribution and the newest reviews.',
  schemas: { 'site-embed': siteEmbed },
  build: (source) => json(frameOf(source)),
  example: 'The whole document',
});

export const PAGE_EMBED = documentResource({
  id: 'getPageEmbed',
  path: '/oembed/{page}.json',
  tag: 'Embed',
  title: 'A month or the search, for sites that embed it',
  description: 'oEmbed 1.0, type link. Each month and the search page name theirs (discovery).',
  parameters: {
    page: {
      description: 'A month, YYYY-MM, or search.',
      schema: { type: 'string' },
      example: '2026-05',
    },
  },
  schemas: { 'site-embed': siteEmbed },
  instances: pages,
  examples: (source) => [
    jsonExample(source, pageEmbedPath('search'), linkTo(source, 'search'), 'The search page'),
  ],
});

/** @param page `2026-05` or `search` */
export function pageEmbedPath(page: string): string {
  return `/oembed/${page}.json`;
}

function pages({ dataset }: Source): Instance[] {
  const months = monthsOf(dataset.reviews)
    .filter(({ reviews }) => reviews.length > 0)
    .map(({ month }) => month);
  return ['search', ...months].map((page) => ({
    path: pageEmbedPath(page),
    build: (source) => json(linkTo(source, page)),
  }));
}

function common({ baseUrl, dataset, language }: Source) {
  const { t } = wordingOf(language);
  return {
    version: '1.0' as const,
    provider_name: t('page.reviews_of', { name: dataset.business.name }),
    provider_url: `${baseUrl}/`,
    cache_age: CACHE_SECONDS,
  };
}

function frameOf(source: Source): SiteEmbed {
  const { provider_name: title, ...rest } = common(source);
  const attribute = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const html =
    `<iframe src="${source.baseUrl}${EMBED_PATH}" title="${attribute}" ` +
    `width="${FRAME.width}" height="${FRAME.height}" loading="lazy"></iframe>`;
  return { ...rest, type: 'rich', title, provider_name: title, html, ...FRAME };
}

function linkTo(source: Source, page: string): SiteEmbed {
  const { t } = wordingOf(source.language);
  return {
    ...common(source),
    type: 'link',
    title: t('embed.page', {
      page: page === 'search' ? t('nav.search') : page,
      name: source.dataset.business.name,
    }),
    thumbnail_url: source.baseUrl + SHARE_IMAGE_PATH,
    thumbnail_width: 1200,
    thumbnail_height: 630,
  };
}
