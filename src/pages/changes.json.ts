import { currentPublication } from 'virtual:publication';
import { dataHeaders, topicLinks } from '../http.ts';
import { changesDocument, serializeChanges } from '../journal/documents.ts';
import { CHANGES_PATH, JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const { baseUrl, journal } = currentPublication();
  return new Response(serializeChanges(changesDocument(journal)), {
    headers: { ...dataHeaders(JSON_TYPE), link: topicLinks(baseUrl, CHANGES_PATH) },
  });
}
