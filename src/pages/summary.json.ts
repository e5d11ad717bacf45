import { currentPublication } from 'virtual:publication';
import { summaryDocument } from '../dataset/summary.ts';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const document = summaryDocument(currentPublication().dataset);
  return new Response(`${JSON.stringify(document)}\n`, { headers: dataHeaders(JSON_TYPE) });
}
