import { z } from 'zod';
import { wordingOf } from '../messages/wording.ts';
import { EMBED_PATH, OEMBED_PATH } from '../paths.ts';
import { JSON_ERRORS, jsonBody } from './openapi/answers.ts';
import { documentResource, json } from './resource.ts';
import type { Source } from './source.ts';

/** A frame of this size shows the distribution and two reviews. */
const FRAME = { width: 400, height: 600 } as const;
const CACHE_SECONDS = 3600;

const siteEmbed = z
  .strictObject({
    version: z.literal('1.0'),
    type: z.literal('rich'),
    title: z.string(),
    provider_name: z.string(),
    provider_url: z.string(),
    cache_age: z.int().describe('Seconds.'),
    html: z.string().describe('A frame with all that the site shows first.'),
    width: z.int(),
    height: z.int(),
  })
  .meta({ title: 'Site embed', description: 'The site for others that embed it (oEmbed 1.0).' });

export const SITE_EMBED = documentResource({
  id: 'getSiteEmbed',
  path: OEMBED_PATH,
  tag: 'Embed',
  title: 'The site, for sites that embed it',
  description:
    'oEmbed 1.0, type rich: a frame with the rating, the distribution and the newest reviews. The sidecar heeds maxwidth and maxheight, and answers a url of another site with 404 and another format than json with 501; a site of files alone always states the whole frame.',
  schemas: { 'site-embed': siteEmbed },
  answers: {
    404: JSON_ERRORS[404],
    501: jsonBody('Error', 'The format is not json.'),
  },
  build: (source) => json(siteEmbedOf(source)),
  example: 'The whole document',
});

/** Returns the title of the site and the frame that shows it, both as HTML to paste. */
export function frameOf({
  baseUrl,
  dataset,
  language,
}: Pick<Source, 'baseUrl' | 'dataset' | 'language'>) {
  const title = wordingOf(language).t('page.reviews_of', { name: dataset.business.name });
  const attribute = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const html =
    `<iframe src="${baseUrl}${EMBED_PATH}" title="${attribute}" ` +
    `width="${FRAME.width}" height="${FRAME.height}" loading="lazy"></iframe>`;
  return { title, attribute, html };
}

function siteEmbedOf(source: Source): z.infer<typeof siteEmbed> {
  const { title, html } = frameOf(source);
  return {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: title,
    provider_url: `${source.baseUrl}/`,
    cache_age: CACHE_SECONDS,
    html,
    ...FRAME,
  };
}
