import { z } from 'zod';
import { dataLicense } from './license.ts';
import { instant, language, slug, stars, ulid, webUrl } from './primitives.ts';

const author = z.strictObject({
  name: z.string(),
  url: webUrl.optional(),
  avatar: webUrl.optional(),
});

/** A review as a feed item (https://www.jsonfeed.org/version/1.1/#items-a-name-items-a). */
export const jsonFeedItem = z
  .strictObject({
    id: z
      .string()
      .regex(/^urn:ulid:/)
      .describe('Permanent, and the same in the Atom feed.'),
    url: webUrl.describe('Permalink on this site.'),
    external_url: webUrl.optional().describe('The review on its platform.'),
    title: z.string().describe('The stars, then the title or the author.'),
    content_html: z.string(),
    content_text: z.string(),
    date_published: instant,
    date_modified: instant,
    authors: z.array(author),
    tags: z.array(z.string()),
    language,
    _review: z
      .strictObject({ id: ulid, rating: stars, source: slug })
      .describe('Extension for programs: id, stars and platform.'),
  })
  .meta({ title: 'JSON Feed item' });
export type JsonFeedItem = z.infer<typeof jsonFeedItem>;

/** The document at `/api/feed.json`: JSON Feed 1.1. */
export const jsonFeedDocument = z
  .strictObject({
    version: z.literal('https://jsonfeed.org/version/1.1'),
    title: z.string(),
    home_page_url: webUrl,
    feed_url: webUrl.describe('The feed of the newest reviews, in its archives too.'),
    next_url: webUrl.optional().describe('The archive with older reviews; absent in the last one.'),
    description: z.string(),
    language,
    authors: z.array(author),
    _license: dataLicense.describe('Extension: the terms under which the data may be used.'),
    hubs: z.array(z.strictObject({ type: z.literal('WebSub'), url: webUrl })),
    items: z.array(jsonFeedItem).max(50).describe('The 50 newest reviews.'),
  })
  .meta({ title: 'JSON Feed' });
export type JsonFeedDocument = z.infer<typeof jsonFeedDocument>;

/** A document at `/api/feed/{from}.json`. */
export const jsonFeedArchiveDocument = jsonFeedDocument
  .omit({ hubs: true })
  .extend({ items: z.array(jsonFeedItem).describe('The reviews of its days, newest first.') })
  .meta({ title: 'JSON Feed archive' });
export type JsonFeedArchiveDocument = z.infer<typeof jsonFeedArchiveDocument>;
