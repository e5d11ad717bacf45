import { currentPublication } from 'virtual:publication';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  return new Response(`${JSON.stringify(currentPublication().provenance)}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}
