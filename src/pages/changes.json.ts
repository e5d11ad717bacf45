import { currentPublication } from 'virtual:publication';
import { dataHeaders, topicLinks } from '../http.ts';
import { buildChanges, serializeChanges } from '../journal/documents.ts';
import { CHANGES_PATH, JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const { baseUrl, journal } = currentPublication();
  return new Response(serializeChanges(buildChanges(journal)), {
    headers: { ...dataHeaders(JSON_TYPE), link: topicLinks(baseUrl, CHANGES_PATH) },
  });
}
