import { currentPublication } from 'virtual:publication';
import { textHeaders } from '../../http.ts';
import { securityText } from '../../formats/text-files.ts';

export function GET(): Response {
  const { baseUrl, dataset, lastModified } = currentPublication();
  return new Response(securityText(dataset.business, baseUrl, lastModified, Date.now()), {
    headers: textHeaders(),
  });
}
