import { starredTitle } from '../dataset/review-document.ts';
import { JSON_FEED_PATH, jsonArchivePath } from '../paths.ts';
import type {
  JsonFeedArchiveDocument,
  JsonFeedDocument,
  JsonFeedItem,
} from '../schema/json-feed.ts';
import type { Review } from '../schema/review.ts';
import { entryHtml, entryId, entryText, FEED_LENGTH, type FeedSource } from './feed.ts';
import { feedArchives, type FeedArchive } from './feed-archives.ts';

/** Builds a JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/) of the newest reviews. */
export function jsonFeed(source: FeedSource): JsonFeedDocument {
  const [archive] = feedArchives(source.reviews);
  return {
    ...metadata(source, archive?.from),
    hubs: [{ type: 'WebSub', url: source.hubUrl }],
    items: source.reviews.slice(0, FEED_LENGTH).map(jsonFeedItem),
  };
}

/** Builds an archive, which the hub does not push because it hardly ever changes. */
export function jsonFeedArchive(source: FeedSource, archive: FeedArchive): JsonFeedArchiveDocument {
  return { ...metadata(source, archive.previous), items: archive.reviews.map(jsonFeedItem) };
}

/** @param next name of the archive that follows, which has older reviews */
function metadata(source: FeedSource, next: string | undefined) {
  return {
    version: 'https://jsonfeed.org/version/1.1' as const,
    title: source.title,
    home_page_url: `${source.siteUrl}/`,
    feed_url: source.siteUrl + JSON_FEED_PATH,
    ...(next !== undefined && { next_url: source.siteUrl + jsonArchivePath(next) }),
    description: source.description,
    language: 'en',
    authors: [{ name: source.title, url: `${source.siteUrl}/` }],
    _license: source.license,
  };
}

function jsonFeedItem(review: Review): JsonFeedItem {
  return {
    id: entryId(review),
    url: review.url,
    ...(review.source_url !== null && { external_url: review.source_url }),
    title: starredTitle(review),
    content_html: entryHtml(review),
    content_text: entryText(review),
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
