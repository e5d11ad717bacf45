import { currentPublication } from 'virtual:publication';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';
import { mcpServer } from '../formats/mcp-server.ts';

export function GET(): Response {
  const { dataset, baseUrl } = currentPublication();
  return new Response(`${JSON.stringify(mcpServer(dataset.business.name, baseUrl), null, 2)}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}
