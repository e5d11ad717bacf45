import { currentPublication } from 'virtual:publication';
import { dataHeaders, topicLinks } from '../http.ts';
import { JSON_TYPE, REVIEWS_PATH } from '../paths.ts';

export function GET(): Response {
  const { baseUrl, lines } = currentPublication();
  return new Response(Uint8Array.from(lines.bytes), {
    headers: { ...dataHeaders(JSON_TYPE), link: topicLinks(baseUrl, REVIEWS_PATH) },
  });
}
