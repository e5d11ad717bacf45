import { currentPublication } from 'virtual:publication';
import { buildHistory } from '../dataset/summary.ts';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const document = buildHistory(currentPublication().dataset);
  return new Response(`${JSON.stringify(document)}\n`, { headers: dataHeaders(JSON_TYPE) });
}
