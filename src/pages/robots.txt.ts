import { textHeaders } from '../http.ts';
import { robots } from '../formats/robots.ts';
import { currentPublication } from '../build/publication.ts';

export function GET(): Response {
  return new Response(robots(currentPublication().baseUrl), { headers: textHeaders() });
}
