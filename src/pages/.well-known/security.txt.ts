import { currentPublication } from 'virtual:publication';
import { textHeaders } from '../../http.ts';
import { securityText } from '../../formats/text-files.ts';

export function GET(): Response {
  const { baseUrl, dataset, madeAt } = currentPublication();
  return new Response(securityText(dataset.business, baseUrl, madeAt), { headers: textHeaders() });
}
