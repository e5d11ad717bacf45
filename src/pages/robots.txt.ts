import { currentPublication } from 'virtual:publication';
import { textHeaders } from '../http.ts';
import { robots } from '../formats/text-files.ts';

export function GET(): Response {
  return new Response(robots(currentPublication().baseUrl), { headers: textHeaders() });
}
