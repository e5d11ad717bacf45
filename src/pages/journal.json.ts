import { currentPublication } from 'virtual:publication';
import { dataHeaders } from '../http.ts';
import { journalDocument } from '../journal/documents.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const { journal } = currentPublication();
  return new Response(`${JSON.stringify(journalDocument(journal))}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}
