import { currentPublication } from 'virtual:publication';
import { dataHeaders, topicLinks } from '../../http.ts';
import { JSON_FEED_PATH, JSON_TYPE } from '../../paths.ts';
import { feedSource } from '../../formats/feed.ts';
import { jsonFeed } from '../../formats/json-feed.ts';

export function GET(): Response {
  const { baseUrl, dataset } = currentPublication();
  return new Response(`${JSON.stringify(jsonFeed(feedSource(dataset, baseUrl)))}\n`, {
    headers: { ...dataHeaders(JSON_TYPE), link: topicLinks(baseUrl, JSON_FEED_PATH) },
  });
}
