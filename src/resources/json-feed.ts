import { z } from 'zod';
import { JSON_FEED_PATH } from '../paths.ts';
import { dataLicense } from '../schema/license.ts';
import { instant, language, slug, stars, ulid, webUrl } from '../schema/primitives.ts';
import { wordingOf, type Wording } from '../messages/wording.ts';
import type { Review } from '../schema/review.ts';
import {
  entryHtml,
  entryId,
  entryText,
  entryTitle,
  feedArchives,
  newestPart,
  type FeedPart,
  type FeedSource,
} from './feed.ts';
import { DAY, json, documentResource } from './resource.ts';

const author = z.strictObject({
  name: z.string(),
  url: webUrl.optional(),
  avatar: webUrl.optional(),
});

/** A review as a feed item (https://www.jsonfeed.org/version/1.1/#items-a-name-items-a). */
const feedItem = z
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
type JsonFeedItem = z.infer<typeof feedItem>;

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
const jsonFeedDocument = z
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
    hubs: z
      .array(z.strictObject({ type: z.literal('WebSub'), url: webUrl }))
      .optional()
      .describe('Absent if nothing pushes the feed.'),
    items: z.array(feedItem).max(50).describe('The 50 newest reviews.'),
  })
  .meta({ title: 'JSON Feed' });
export type JsonFeedDocument = z.infer<typeof jsonFeedDocument>;

const jsonFeedArchive = jsonFeedDocument
  .omit({ hubs: true })
  .extend({ items: z.array(feedItem).describe('The reviews of its days, newest first.') })
  .meta({ title: 'JSON Feed archive' });

export const JSON_FEED = documentResource({
  id: 'getJsonFeed',
  path: JSON_FEED_PATH,
  tag: 'Feeds',
  title: 'The newest reviews as a JSON Feed',
  description:
    'JSON Feed 1.1 of the 50 newest reviews, served as application/json. next_url leads to the older ones. A topic.',
  schemas: { 'json-feed': jsonFeedDocument },
  parts: { JsonFeedItem: feedItem },
  build: (source) => json(buildJsonFeed(source)),
  example: 'Abridged',
});

export const JSON_FEED_ARCHIVE = documentResource({
  id: 'getJsonFeedArchive',
  path: archivePath('{from}'),
  tag: 'Feeds',
  title: 'An archive of the JSON Feed',
  description:
    'Older reviews; next_url of the feed and of each archive leads to the archive before. New reviews change no archive.',
  parameters: { from: DAY },
  schemas: { 'json-feed-archive': jsonFeedArchive },
  instances: ({ dataset }) =>
    feedArchives(dataset.reviews).map((archive) => ({
      path: archivePath(archive.from),
      build: (source) => json(buildJsonFeed(source, archive)),
    })),
});

function archivePath(from: string): string {
  return `/api/feed/${from}.json`;
}

/** Returns the feed, or an archive, which the hub does not push because it hardly ever changes. */
export function buildJsonFeed(
  { baseUrl, dataset, hub, language }: FeedSource,
  { from, reviews, previous }: FeedPart = newestPart(dataset.reviews),
): JsonFeedDocument {
  const words = wordingOf(language);
  const { name } = dataset.business;
  const title = words.t('page.reviews_of', { name });
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: `${baseUrl}/`,
    feed_url: baseUrl + JSON_FEED_PATH,
    ...(previous !== undefined && { next_url: baseUrl + archivePath(previous) }),
    description: words.t('feed.description', { name }),
    language: words.language,
    authors: [{ name: title, url: `${baseUrl}/` }],
    _license: dataset.license,
    ...(hub !== null && from === undefined && { hubs: [{ type: 'WebSub', url: hub }] }),
    items: reviews.map((review) => itemOf(review, words)),
  };
}

function itemOf(review: Review, words: Wording): JsonFeedItem {
  return {
    id: entryId(review),
    url: review.url,
    ...(review.source_url !== null && { external_url: review.source_url }),
    title: entryTitle(review, words),
    content_html: entryHtml(review, words),
    content_text: entryText(review, words),
    date_published: `${review.date}T00:00:00Z`,
    date_modified: review.updated_at,
    authors: [
      {
        name: review.author,
        ...(review.author_avatar_url !== null && { avatar: review.author_avatar_url }),
      },
    ],
    tags: [`${review.rating}-star`, ...review.mentions.services],
    language: review.language,
    _review: { id: review.id, rating: review.rating, source: review.source },
  };
}
