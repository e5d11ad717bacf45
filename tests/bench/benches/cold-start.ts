import { join } from 'node:path';
import type { Tools } from '../bench.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { median } from '../../support/statistics.ts';

const STARTS = 9;

/**
 * Measures the time from spawn to the first 200, with an edition new to DATA_DIR and with a saved
 * one.
 */
export async function coldStart({ editions, size, folder }: Tools): Promise<Row[]> {
  const { client } = await editions.of(size);
  const bare: number[] = [];
  const first: number[] = [];
  const later: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const dataDir = join(folder, `start-${start}`);
    bare.push(await startMs(() => ServerProcess.peer('bare-node.mjs')));
    first.push(await startMs(() => ServerProcess.sidecar(client, dataDir)));
    later.push(await startMs(() => ServerProcess.sidecar(client, dataDir)));
  }
  const row = (kind: string, times: readonly number[], most: number): Row => ({
    work: `cold start, ${size} reviews, ${kind}`,
    against: 'bare node:http',
    ratio: median(times) / median(bare),
    goal: { is: 'most', value: most },
    reason:
      'writing the files of an edition is a third of a new start; of a later one, reading words and columns is ' +
      '38 % and loading code 19 %; columns and words that the build would write save 12 % of a new start ' +
      'and 31 % of a later one, less than another document of each edition is worth',
    note: `${median(times).toFixed(0)} ms : ${median(bare).toFixed(0)} ms`,
  });
  return [row('new edition', first, 20), row('edition in DATA_DIR', later, 5)];
}

async function startMs(start: () => Promise<ServerProcess>): Promise<number> {
  const server = await start();
  await server.stop();
  return server.startMs;
}
