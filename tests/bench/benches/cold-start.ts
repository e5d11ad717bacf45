import { join } from 'node:path';
import { SEARCH_PATH } from '../../../src/paths.ts';
import type { Tools } from '../bench.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { median } from '../../support/statistics.ts';

const STARTS = 9;

/**
 * Measures the time from spawn to the first 200 of a page and of a search, with an edition new to DATA_DIR and
 * with a saved one.
 */
export async function coldStart({ editions, size, folder }: Tools): Promise<Row[]> {
  const { client } = await editions.of(size);
  const bare: Start[] = [];
  const first: Start[] = [];
  const later: Start[] = [];
  for (let start = 0; start < STARTS; start++) {
    const dataDir = join(folder, `start-${start}`);
    bare.push(await startOf(() => ServerProcess.peer('bare-node.mjs')));
    first.push(await startOf(() => ServerProcess.sidecar(client, dataDir)));
    later.push(await startOf(() => ServerProcess.sidecar(client, dataDir)));
  }
  const row = (kind: string, starts: readonly Start[], until: keyof Start, max?: number): Row => {
    const [ms, base] = [medianOf(starts, until), medianOf(bare, 'page')];
    return {
      work: `cold start, ${size} reviews, ${kind}${until === 'page' ? '' : ', first search'}`,
      against: 'bare node:http',
      ratio: ms / base,
      ...(max !== undefined && { goal: { is: 'max', value: max } }),
      note: `${ms.toFixed(0)} ms : ${base.toFixed(0)} ms`,
    };
  };
  return [
    row('new edition', first, 'page', 20),
    row('edition in DATA_DIR', later, 'page', 5),
    row('new edition', first, 'search'),
    row('edition in DATA_DIR', later, 'search'),
  ];
}

/** Milliseconds from spawn to the first 200. */
interface Start {
  page: number;
  search: number;
}

function medianOf(starts: readonly Start[], until: keyof Start): number {
  return median(starts.map((start) => start[until]));
}

async function startOf(start: () => Promise<ServerProcess>): Promise<Start> {
  const server = await start();
  const asked = performance.now();
  const response = await fetch(`http://127.0.0.1:${server.port}${SEARCH_PATH}?query=water`);
  await response.arrayBuffer();
  const search = server.startMs + performance.now() - asked;
  await server.stop();
  return { page: server.startMs, search };
}
