import { dataHeaders, topicLinks } from '../edition/headers.ts';
import { JSON_TYPE, REVIEWS_PATH } from '../edition/paths.ts';
import { currentPublication } from '../publication.ts';

export function GET(): Response {
  const { baseUrl, lines } = currentPublication();
  return new Response(Uint8Array.from(lines.bytes), {
    headers: { ...dataHeaders(JSON_TYPE), link: topicLinks(baseUrl, REVIEWS_PATH) },
  });
}
