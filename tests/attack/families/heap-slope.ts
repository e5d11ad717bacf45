import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Connection } from '../../bench/load/connection.ts';
import { median } from '../../bench/statistics.ts';
import { sampleEdition } from '../../support/edition.ts';
import { eventually } from '../../support/eventually.ts';
import { readManifest } from '../../support/pages.ts';
import { everyRoute, type RouteRequest } from '../../support/routes.ts';
import { startSidecar, type SidecarProcess } from '../../support/sidecar-process.ts';
import { wireText } from '../../support/wire.ts';
import { atMost, type Family, type Row, type Scale } from '../family.ts';

const PROBE = pathToFileURL(join(import.meta.dirname, '../../support/heap-probe.ts')).href;
const CONNECTIONS = 4;

/** `bound` in bytes per request; fewer requests share what the runtime itself retains. */
const SCALES: Record<Scale, { batches: number; perBatch: number; bound: number }> = {
  short: { batches: 3, perBatch: 48, bound: 4_000 },
  long: { batches: 5, perBatch: 500, bound: 500 },
};

/**
 * Measures the bytes retained per request after all garbage is collected: by route, and on the long
 * scale by kind of file too.
 */
export const heapSlope: Family = { name: 'heap slope', run };

async function run(scale: Scale): Promise<Row[]> {
  const edition = await sampleEdition();
  const requests = await everyRoute(await readManifest(edition));
  const dataDir = await mkdtemp(join(tmpdir(), 'reviews-heap-'));
  const sidecar = await startSidecar({
    EDITION: edition,
    DATA_DIR: dataDir,
    SEARCH_RATE: '0',
    DOWNLOAD_RATE: '0',
    MCP_RATE: '0',
    HUB_RATE: '0',
    HUB_CALLBACK_ALLOW: '127.0.0.0/8',
    METRICS_PORT: '0',
    NODE_OPTIONS: `--import ${PROBE}`,
  });
  try {
    const rows: Row[] = [];
    const groups = Map.groupBy(requests, ({ route, kind }) => (scale === 'short' ? route : kind));
    for (const [what, asked] of groups) {
      rows.push(await measure(sidecar, what, asked, scale));
    }
    return rows;
  } finally {
    sidecar.child.kill('SIGKILL');
    await sidecar.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The first batch fills caches and compiles code, and is not measured. */
async function measure(
  sidecar: SidecarProcess,
  what: string,
  requests: readonly RouteRequest[],
  scale: Scale,
): Promise<Row> {
  const { batches, perBatch, bound } = SCALES[scale];
  await send(sidecar, requests, perBatch);
  let before = await heapBytes(sidecar);
  const slopes: number[] = [];
  for (let batch = 0; batch < batches; batch++) {
    await send(sidecar, requests, perBatch);
    const after = await heapBytes(sidecar);
    slopes.push((after - before) / perBatch);
    before = after;
  }
  return atMost(what, Math.round(median(slopes)), bound, 'bytes a request');
}

/**
 * Sends `count` requests one after another.
 *
 * @throws if a response has another status
 */
async function send(
  { url }: SidecarProcess,
  requests: readonly RouteRequest[],
  count: number,
): Promise<void> {
  const port = Number(new URL(url).port);
  let next = 0;
  const lane = async (): Promise<void> => {
    const connections = new Map<number, Connection>();
    try {
      while (next < count) {
        const request = requests[next++ % requests.length]!;
        const { status } = request;
        const connection = connections.get(status) ?? new Connection(port, status);
        connections.set(status, connection);
        await connection.ask(wireText(request)).catch((error: Error) => {
          throw new Error(`${request.method} ${request.target}: ${error.message}`);
        });
      }
    } finally {
      for (const connection of connections.values()) connection.close();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

/** Returns the bytes in use after all garbage is collected. */
async function heapBytes({ child, lines }: SidecarProcess): Promise<number> {
  lines.length = 0; // or the log would fill the memory of the test
  const probed = () => lines.find(({ message }) => message === 'heap');
  child.kill('SIGUSR2');
  await eventually(() => probed() !== undefined);
  return probed()!.bytes as number;
}
