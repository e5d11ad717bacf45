import { currentPublication } from 'virtual:publication';
import { dataHeaders, DOCUMENT_HEADERS, topicLinks } from '../http.ts';
import { ATOM_PATH, ATOM_TYPE } from '../paths.ts';
import { atomFeed } from '../formats/atom.ts';
import { feedSource } from '../formats/feed.ts';

export function GET(): Response {
  const { baseUrl, dataset } = currentPublication();
  return new Response(atomFeed(feedSource(dataset, baseUrl)), {
    headers: {
      ...dataHeaders(ATOM_TYPE),
      ...DOCUMENT_HEADERS,
      link: topicLinks(baseUrl, ATOM_PATH),
    },
  });
}
