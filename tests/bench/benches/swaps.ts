import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EDITION_PATH, HUB_PATH, REVIEWS_PATH } from '../../../src/paths.ts';
import { changeManifest } from '../../support/edition-folder.ts';
import { percentile } from '../../support/statistics.ts';
import type { Tools } from '../bench.ts';
import { readEdition } from '../editions.ts';
import { queryMix, queryPath } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const SWAPS = 5;
const REST_MS = 5_000;
const PAUSE_MS = 5;
/** Longest time of a swap. */
const SWAP_MS = 120_000;
/** Longest hold of the loop by a swap. */
const HOLD_MS = 50;
/** Time for what was served last to be let go. */
const SETTLE_MS = 1_000;
/** A sidecar that reads its edition as soon as it is pinged, and takes any number of pings. */
const SETTINGS = { RATE_LIMIT: '0', REFRESH_SECONDS: '3600' };

/** Measures what clients notice of new editions. */
export async function swaps({ editions, size, folder }: Tools): Promise<Row[]> {
  const source = join(folder, 'swaps');
  await cp((await editions.of(size)).client, source, { recursive: true });
  const { dataset, manifest } = await readEdition(source);
  const paths = queryMix(dataset, manifest.names, 20_000).map(queryPath);
  const holds = join(folder, 'swaps-holds');
  await using server = await ServerProcess.sidecar(source, join(folder, 'swaps-data'), {
    ...SETTINGS,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '../peers/loop-probe.mjs')}`,
    LOOP_PROBE: holds,
  });
  let asked = 0;
  /** Searches at a low rate until some work is done, and returns the times in milliseconds. */
  const timesDuring = async (work: Promise<unknown>): Promise<number[]> => {
    const state = { isDone: false };
    void work.finally(() => {
      state.isDone = true;
    });
    const times: number[] = [];
    while (!state.isDone) {
      const started = performance.now();
      await (await fetch(urlOf(server, paths[asked++ % paths.length]!))).arrayBuffer();
      times.push(performance.now() - started);
      await delay(PAUSE_MS);
    }
    await work;
    return times;
  };
  await timesDuring(delay(REST_MS)); // warms up
  const rest: number[] = [];
  const swapping: number[] = [];
  const held: number[] = [];
  for (let swap = 1; swap <= SWAPS; swap++) {
    rest.push(...(await timesDuring(delay(REST_MS))));
    await writeFile(holds, '');
    swapping.push(...(await timesDuring(publish(server, source, swap))));
    await delay(SETTLE_MS);
    held.push(Math.max(...(await readFile(holds, 'utf8')).split('\n').map(Number)));
  }
  const [own, other] = [percentile(swapping, 99), percentile(rest, 99)];
  return [
    {
      work: `p99 of search while an edition of ${size} reviews is swapped in`,
      against: 'p99 at rest',
      ratio: own / other,
      goal: { is: 'max', value: 2 },
      reason:
        'runs of one program gave 1.7 to 2.8, while a swap held the loop for 13 to 33 ms at the longest',
      note:
        `${own.toFixed(1)} ms : ${other.toFixed(1)} ms; ` +
        `longest ${Math.max(...swapping).toFixed(0)} ms : ${Math.max(...rest).toFixed(0)} ms`,
    },
    {
      work: `longest hold of the event loop by a swap of ${size} reviews`,
      against: `${HOLD_MS} ms of processor time`,
      ratio: Math.max(...held) / HOLD_MS,
      goal: { is: 'max', value: 1 },
      note: `${held.map((ms) => ms.toFixed(0)).join(', ')} ms in ${SWAPS} swaps`,
    },
  ];
}

/** Publishes another edition with the same files, and waits until it is served. */
async function publish(server: ServerProcess, source: string, swap: number): Promise<void> {
  let topic = '';
  await changeManifest(source, (manifest) => {
    topic = manifest.base_url + REVIEWS_PATH;
    const time = Date.parse('2026-01-01T00:00:00Z') + swap * 1000;
    manifest.last_modified = new Date(time).toISOString().replace('.000', '');
  });
  const etagOf = async () =>
    (await fetch(urlOf(server, EDITION_PATH), { method: 'HEAD' })).headers.get('etag');
  const before = await etagOf();
  const body = new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': topic });
  await fetch(urlOf(server, HUB_PATH), { method: 'POST', body });
  const deadline = performance.now() + SWAP_MS;
  while ((await etagOf()) === before) {
    if (performance.now() > deadline)
      throw new Error(`swap ${swap} took longer than ${SWAP_MS} ms`);
    await delay(20);
  }
}

function urlOf({ port }: ServerProcess, path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}
