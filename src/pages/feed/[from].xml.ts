import { currentPublication } from 'virtual:publication';
import type { APIContext } from 'astro';
import { atomArchive } from '../../formats/atom.ts';
import { feedArchives, type FeedArchive } from '../../formats/feed-archives.ts';
import { feedSource } from '../../formats/feed.ts';
import { dataHeaders, DOCUMENT_HEADERS } from '../../http.ts';
import { ATOM_TYPE } from '../../paths.ts';

export function getStaticPaths() {
  const archives = feedArchives(currentPublication().dataset.reviews);
  return archives.map((archive) => ({ params: { from: archive.from }, props: { archive } }));
}

export function GET({ props }: APIContext<{ archive: FeedArchive }>): Response {
  const { baseUrl, dataset } = currentPublication();
  return new Response(atomArchive(feedSource(dataset, baseUrl), props.archive), {
    headers: { ...dataHeaders(ATOM_TYPE), ...DOCUMENT_HEADERS },
  });
}
