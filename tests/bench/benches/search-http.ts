import { join } from 'node:path';
import { MCP_PATH } from '../../../src/paths.ts';
import type { SearchFilters } from '../../../src/schema/search.ts';
import { MCP_HEADERS, request } from '../../support/mcp.ts';
import type { Tools } from '../bench.ts';
import { compareServers, send, type Job } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { queryMix, queryPath } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const QUERIES = 3000;
const ROUNDS_OF_QUERIES = 8;

/**
 * Compares searches, each distinct, with fixed bodies of the same size; and the same searches by
 * tools/call with those by GET.
 */
export async function searchHttp({ editions, size: reviews, folder }: Tools): Promise<Row[]> {
  const { client: edition } = await editions.of(reviews);
  const { dataset, manifest } = await readEdition(edition);
  const mix = queryMix(dataset, manifest.names, QUERIES * ROUNDS_OF_QUERIES);
  const inRound = (round: number) => {
    const from = (round % ROUNDS_OF_QUERIES) * QUERIES;
    return mix.slice(from, from + QUERIES);
  };
  const gets = (round: number): Job => ({ paths: inRound(round).map(queryPath) });
  const calls = (round: number): Job => ({
    paths: inRound(round).map(() => MCP_PATH),
    bodies: inRound(round).map(toolCall),
    headers: MCP_HEADERS,
  });

  await using server = await ServerProcess.sidecar(edition, join(folder, 'search'));
  await using other = await ServerProcess.sidecar(edition, join(folder, 'search-mcp'));
  const size = Math.round((await send(server, gets(0))) / QUERIES);
  await using peer = await ServerProcess.peer('h3-fixed.ts', { BODY_BYTES: String(size) });
  const subject = { server, job: gets };
  return [
    {
      work: `search over HTTP, ${reviews} reviews`,
      against: `h3, fixed body of ${(size / 1000).toFixed(1)} kB`,
      goal: { is: 'min', value: reviews > 10_000 ? 0.08 : 0.2 },
      reason: 'each search is another one: its search alone takes twice the time of an h3 answer',
      ...(await compareServers(subject, { server: peer, job: gets })),
    },
    {
      work: `MCP tools/call, ${reviews} reviews`,
      against: 'the same search by GET',
      goal: { is: 'min', value: 0.45 },
      ...(await compareServers({ server: other, job: calls }, subject)),
    },
  ];
}

function toolCall(filters: SearchFilters, index: number): string {
  const call = { name: 'search_reviews', arguments: filters };
  return JSON.stringify(request('tools/call', call, index));
}
