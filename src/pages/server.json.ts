import { currentPublication } from 'virtual:publication';
import { mcpIdentity } from '../dataset/mcp-identity.ts';
import { mcpServer } from '../formats/mcp-server.ts';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const { dataset, baseUrl } = currentPublication();
  const document = mcpServer(mcpIdentity(dataset.business, baseUrl), baseUrl);
  return new Response(`${JSON.stringify(document, null, 2)}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}
