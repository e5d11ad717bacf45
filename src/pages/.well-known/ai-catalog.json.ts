import { currentPublication } from 'virtual:publication';
import { mcpIdentity } from '../../dataset/mcp-identity.ts';
import { aiCatalog } from '../../formats/mcp-server.ts';
import { dataHeaders } from '../../http.ts';
import { AI_CATALOG_TYPE } from '../../paths.ts';

export function GET(): Response {
  const { dataset, baseUrl } = currentPublication();
  const document = aiCatalog(mcpIdentity(dataset.business, baseUrl), baseUrl);
  return new Response(`${JSON.stringify(document, null, 2)}\n`, {
    headers: dataHeaders(AI_CATALOG_TYPE),
  });
}
