import { join } from 'node:path';
import { MCP_PATH } from '../../../src/paths.ts';
import type { SearchFilters } from '../../../src/schema/search.ts';
import type { Tools } from '../bench.ts';
import { compareServers, type Side } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { queryMix, queryPath } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const REVIEWS = 10_000;
const QUERIES = 3000;
const ROUNDS_OF_QUERIES = 8;

/** Compares searches by tools/call, each distinct, with the same searches by GET. */
export async function mcp({ editions, client, folder }: Tools): Promise<Row[]> {
  const { client: edition } = await editions.of(REVIEWS);
  const { dataset, manifest } = await readEdition(edition);
  const mix = queryMix(dataset, manifest.names, QUERIES * ROUNDS_OF_QUERIES);
  const round = (number: number) => {
    const from = (number % ROUNDS_OF_QUERIES) * QUERIES;
    return mix.slice(from, from + QUERIES);
  };
  const subject = await ServerProcess.sidecar(edition, join(folder, 'mcp'));
  try {
    const peer = await ServerProcess.sidecar(edition, join(folder, 'mcp-peer'));
    try {
      const call: Side['job'] = (number) => ({
        paths: round(number).map(() => MCP_PATH),
        bodies: round(number).map(toolCall),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        status: 200,
      });
      const get: Side['job'] = (number) => ({
        paths: round(number).map(queryPath),
        headers: {},
        status: 200,
      });
      const sides = [
        { server: subject, job: call },
        { server: peer, job: get },
      ];
      const { ratio, note } = await compareServers(client, sides[0]!, sides[1]!);
      return [
        {
          work: `MCP tools/call, ${REVIEWS} reviews`,
          against: 'the same search by GET',
          ratio,
          goal: { is: 'least', value: 0.5 },
          note,
        },
      ];
    } finally {
      await peer.stop();
    }
  } finally {
    await subject.stop();
  }
}

function toolCall(filters: SearchFilters, index: number): string {
  const params = { name: 'search_reviews', arguments: filters };
  return JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/call', params });
}
