import { join } from 'node:path';
import { JSON_FEED_PATH } from '../../../src/paths.ts';
import type { LoadClient } from '../load/load-client.ts';
import { compareServers, micros, repeated, send, type Side } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { queryMix, queryPath } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const STARTS = 2;
const ROUNDS = 3;
const QUERIES = 600;
const REVALIDATIONS = 2000;

/**
 * Measures a start, searches and revalidations of a small edition in a few seconds. It compares
 * processor time alone, so that other work on the machine disturbs it less. It has no goals: its
 * ratios are to be compared with those of the last release.
 *
 * @param folder for data of the sidecars
 */
export async function short(client: LoadClient, edition: string, folder: string): Promise<Row[]> {
  return [
    ...(await starts(edition, folder)),
    ...(await requests(client, edition, join(folder, 'requests'))),
  ];
}

async function starts(edition: string, folder: string): Promise<Row[]> {
  const bare: number[] = [];
  const first: number[] = [];
  const later: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const dataDir = join(folder, `start-${start}`);
    bare.push(await startCpu(() => ServerProcess.peer('bare-node.mjs')));
    first.push(await startCpu(() => ServerProcess.sidecar(edition, dataDir)));
    later.push(await startCpu(() => ServerProcess.sidecar(edition, dataDir)));
  }
  const row = (work: string, times: readonly number[]): Row => ({
    work,
    against: 'bare node:http',
    ratio: Math.min(...times) / Math.min(...bare),
    note: `CPU ${micros(Math.min(...times))} : ${micros(Math.min(...bare))}`,
  });
  return [row('start, new edition', first), row('start, edition in DATA_DIR', later)];
}

/**
 * Returns the microseconds of processor time until the first response is seen. The least of some is
 * meaningful: on a busy machine the response is seen late, when more has been loaded.
 */
async function startCpu(start: () => Promise<ServerProcess>): Promise<number> {
  const server = await start();
  const seconds = await server.cpuSeconds();
  await server.stop();
  return seconds * 1e6;
}

async function requests(client: LoadClient, edition: string, dataDir: string): Promise<Row[]> {
  const { dataset, manifest } = await readEdition(edition);
  const queries = queryMix(dataset, manifest.names, QUERIES * (ROUNDS + 1)).map(queryPath);
  const searches: Side['job'] = (round) => ({
    paths: queries.slice(round * QUERIES, (round + 1) * QUERIES),
    headers: {},
    status: 200,
  });
  const { etag } = manifest.resources.find(({ path }) => path === JSON_FEED_PATH)!;
  const revalidations = repeated(REVALIDATIONS, JSON_FEED_PATH, { 'if-none-match': etag }, 304);
  const fixed = repeated(REVALIDATIONS, '/');
  const subject = await ServerProcess.sidecar(edition, dataDir);
  try {
    const { bytes } = await send(client, subject, searches(0));
    const size = Math.round(bytes / QUERIES);
    const peer = await ServerProcess.peer('h3-fixed.ts', { BODY_BYTES: String(size) });
    try {
      const against = `h3, fixed body of ${(size / 1000).toFixed(1)} kB`;
      const compare = async (work: string, own: Side['job'], other: Side['job']): Promise<Row> => ({
        work,
        against,
        ...(await compareServers(
          client,
          { server: subject, job: own },
          { server: peer, job: other },
          ROUNDS,
        )),
      });
      return [
        await compare('search over HTTP', searches, searches),
        await compare(
          '304',
          () => revalidations,
          () => fixed,
        ),
      ];
    } finally {
      await peer.stop();
    }
  } finally {
    await subject.stop();
  }
}
