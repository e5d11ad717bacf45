import { currentPublication } from 'virtual:publication';
import { resourceHeaders } from '../../resources/resource.ts';
import { SECURITY, securityText } from '../../resources/security.ts';

export function GET(): Response {
  const { baseUrl, dataset, lastModified } = currentPublication();
  return new Response(securityText(dataset.business, baseUrl, lastModified, Date.now()), {
    headers: resourceHeaders(SECURITY, currentPublication()),
  });
}
