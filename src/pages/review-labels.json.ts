import { currentPublication } from 'virtual:publication';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const { labels } = currentPublication();
  return new Response(labels.toString(), { headers: dataHeaders(JSON_TYPE) });
}
