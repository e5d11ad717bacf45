import { join } from 'node:path';
import type { Tools } from '../bench.ts';
import { compareServers, send, type Side } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { queryMix, queryPath } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const QUERIES = 3000;
const ROUNDS_OF_QUERIES = 8;

/** Compares searches over HTTP, each distinct, with a fixed body of their mean size. */
export async function searchHttp(tools: Tools): Promise<Row[]> {
  return [await compare(tools, 10_000, 0.6), await compare(tools, 100_000, 0.4)];
}

async function compare({ editions, client, folder }: Tools, reviews: number, goal: number) {
  const { client: edition } = await editions.of(reviews);
  const { dataset, manifest } = await readEdition(edition);
  const paths = queryMix(dataset, manifest.names, QUERIES * ROUNDS_OF_QUERIES).map(queryPath);
  const job: Side['job'] = (round) => {
    const from = (round % ROUNDS_OF_QUERIES) * QUERIES;
    return { paths: paths.slice(from, from + QUERIES), headers: {}, status: 200 };
  };
  const subject = await ServerProcess.sidecar(edition, join(folder, `search-${reviews}`));
  try {
    const { bytes } = await send(client, subject, job(0));
    const size = Math.round(bytes / QUERIES);
    const peer = await ServerProcess.peer('h3-fixed.ts', { BODY_BYTES: String(size) });
    try {
      const sides = [subject, peer].map((server) => ({ server, job }));
      const { ratio, note } = await compareServers(client, sides[0]!, sides[1]!);
      return {
        work: `search over HTTP, ${reviews} reviews`,
        against: `h3, fixed body of ${(size / 1000).toFixed(1)} kB`,
        ratio,
        goal: { is: 'least', value: goal },
        note,
      } satisfies Row;
    } finally {
      await peer.stop();
    }
  } finally {
    await subject.stop();
  }
}
