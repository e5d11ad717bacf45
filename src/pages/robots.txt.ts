import { textHeaders } from '../edition/headers.ts';
import { robots } from '../formats/robots.ts';
import { currentPublication } from '../publication.ts';

export function GET(): Response {
  return new Response(robots(currentPublication().baseUrl), { headers: textHeaders() });
}
