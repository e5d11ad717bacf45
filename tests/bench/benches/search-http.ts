import { join } from 'node:path';
import type { Tools } from '../bench.ts';
import { compareServers, send, type Side } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { queryMix, queryPath } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const REVIEWS = 10_000;
const QUERIES = 3000;
const ROUNDS_OF_QUERIES = 8;

/** Compares searches over HTTP, each distinct, with a fixed body of their mean size. */
export async function searchHttp({ editions, client, folder }: Tools): Promise<Row[]> {
  const { client: edition } = await editions.of(REVIEWS);
  const { dataset, manifest } = await readEdition(edition);
  const paths = queryMix(dataset, manifest.names, QUERIES * ROUNDS_OF_QUERIES).map(queryPath);
  const job: Side['job'] = (round) => {
    const from = (round % ROUNDS_OF_QUERIES) * QUERIES;
    return { paths: paths.slice(from, from + QUERIES), headers: {}, status: 200 };
  };
  const subject = await ServerProcess.sidecar(edition, join(folder, 'search'));
  try {
    const { bytes } = await send(client, subject, job(0));
    const size = Math.round(bytes / QUERIES);
    const peer = await ServerProcess.peer('h3-fixed.ts', { BODY_BYTES: String(size) });
    try {
      const sides = [subject, peer].map((server) => ({ server, job }));
      const { ratio, note } = await compareServers(client, sides[0]!, sides[1]!);
      const row: Row = {
        work: `search over HTTP, ${REVIEWS} reviews`,
        against: `h3, fixed body of ${(size / 1000).toFixed(1)} kB`,
        ratio,
        goal: { is: 'least', value: 0.6 },
        note,
      };
      return [row];
    } finally {
      await peer.stop();
    }
  } finally {
    await subject.stop();
  }
}
