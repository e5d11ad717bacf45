import { currentPublication } from 'virtual:publication';
import type { APIContext } from 'astro';
import { feedArchives, type FeedArchive } from '../../../formats/feed-archives.ts';
import { feedSource } from '../../../formats/feed.ts';
import { jsonFeedArchive } from '../../../formats/json-feed.ts';
import { dataHeaders } from '../../../http.ts';
import { JSON_TYPE } from '../../../paths.ts';

export function getStaticPaths() {
  const archives = feedArchives(currentPublication().dataset.reviews);
  return archives.map((archive) => ({ params: { from: archive.from }, props: { archive } }));
}

export function GET({ props }: APIContext<{ archive: FeedArchive }>): Response {
  const { baseUrl, dataset } = currentPublication();
  const document = jsonFeedArchive(feedSource(dataset, baseUrl), props.archive);
  return new Response(`${JSON.stringify(document)}\n`, { headers: dataHeaders(JSON_TYPE) });
}
