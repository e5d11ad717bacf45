import { dataHeaders } from '../edition/headers.ts';
import { JSON_TYPE } from '../edition/paths.ts';
import { currentPublication } from '../publication.ts';

export function GET(): Response {
  return new Response(`${JSON.stringify(currentPublication().insights)}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}
