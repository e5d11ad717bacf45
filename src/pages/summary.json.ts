import { currentPublication } from 'virtual:publication';
import { buildSummary } from '../dataset/summary.ts';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const document = buildSummary(currentPublication().dataset);
  return new Response(`${JSON.stringify(document)}\n`, { headers: dataHeaders(JSON_TYPE) });
}
