import { currentPublication } from 'virtual:publication';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';
import { openApiDocument } from '../formats/openapi/document.ts';

export function GET(): Response {
  const { baseUrl, dataset } = currentPublication();
  const document = openApiDocument(baseUrl, dataset.business.name);
  return new Response(`${JSON.stringify(document, null, 2)}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}
