import { currentPublication } from 'virtual:publication';
import { bodyExamples } from '../developers/examples.ts';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';
import { openApiDocument } from '../formats/openapi/document.ts';

export function GET(): Response {
  const publication = currentPublication();
  const document = openApiDocument({
    baseUrl: publication.baseUrl,
    business: publication.dataset.business,
    license: publication.dataset.license,
    examples: bodyExamples(publication),
  });
  return new Response(`${JSON.stringify(document)}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}
