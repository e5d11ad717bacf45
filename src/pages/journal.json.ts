import { currentPublication } from 'virtual:publication';
import { dataHeaders } from '../http.ts';
import { buildJournal } from '../journal/documents.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const { journal } = currentPublication();
  return new Response(`${JSON.stringify(buildJournal(journal))}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}
