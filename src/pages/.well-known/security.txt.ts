import { textHeaders } from '../../http.ts';
import { securityText } from '../../formats/security.ts';
import { currentPublication } from '../../build/publication.ts';

export function GET(): Response {
  const { baseUrl, dataset, madeAt } = currentPublication();
  return new Response(securityText(dataset.business, baseUrl, madeAt), { headers: textHeaders() });
}
