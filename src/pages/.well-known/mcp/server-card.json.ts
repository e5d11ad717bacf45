import { currentPublication } from 'virtual:publication';
import { mcpIdentity } from '../../../dataset/mcp-identity.ts';
import { serverCard } from '../../../formats/mcp-server.ts';
import { dataHeaders } from '../../../http.ts';
import { SERVER_CARD_TYPE } from '../../../paths.ts';

export function GET(): Response {
  const { dataset, baseUrl } = currentPublication();
  const document = serverCard(mcpIdentity(dataset.business, baseUrl), baseUrl);
  return new Response(`${JSON.stringify(document, null, 2)}\n`, {
    headers: dataHeaders(SERVER_CARD_TYPE),
  });
}
