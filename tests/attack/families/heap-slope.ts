import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Connection } from '../../bench/load/connection.ts';
import { median } from '../../bench/statistics.ts';
import { smallEdition } from '../../support/edition-folder.ts';
import { eventually } from '../../support/eventually.ts';
import { readManifest } from '../../support/pages.ts';
import { differingRequest, everyRoute, type RouteRequest } from '../../support/routes.ts';
import { startSidecar, type SidecarProcess } from '../../support/sidecar-process.ts';
import { wireText } from '../../support/wire.ts';
import { atMost, type Family, type Row, type Scale } from '../family.ts';

const PROBE = pathToFileURL(join(import.meta.dirname, '../../support/heap-probe.ts')).href;
const CONNECTIONS = 4;

/** `bound` in bytes per request; fewer requests share what the runtime itself retains. */
const SCALES: Record<Scale, { batches: number; perBatch: number; bound: number }> = {
  short: { batches: 3, perBatch: 240, bound: 2_000 },
  long: { batches: 5, perBatch: 500, bound: 500 },
};

/** Sends so many requests. */
type Load = (count: number) => Promise<void>;

/**
 * Measures the bytes retained per request after all garbage is collected: for all routes in turn, on
 * the long scale for each kind of file alone, for requests that all differ, and for clients that
 * leave. Those must not leave files or sockets open either.
 */
export const heapSlope: Family = { name: 'heap slope', isLong: true, run };

async function run(scale: Scale): Promise<Row[]> {
  const edition = await smallEdition();
  const requests = await everyRoute(await readManifest(edition));
  const dataDir = await mkdtemp(join(tmpdir(), 'reviews-heap-'));
  const sidecar = await startSidecar({
    EDITION: edition,
    DATA_DIR: dataDir,
    RATE_LIMIT: '0',
    HUB_CALLBACK_ALLOW: '127.0.0.0/8',
    METRICS_PORT: '0',
    NODE_OPTIONS: `--import ${PROBE}`,
  });
  try {
    const port = Number(new URL(sidecar.url).port);
    const rows: Row[] = [];
    const groups = Map.groupBy(requests, ({ kind }) => (scale === 'short' ? 'all routes' : kind));
    for (const [what, asked] of groups) {
      const inTurn = (index: number) => asked[index % asked.length]!;
      rows.push(await measure(sidecar, what, (count) => send(port, count, inTurn), scale));
    }
    let sent = 0;
    const differing: Load = (count) => send(port, count, () => differingRequest(sent++));
    rows.push(await measure(sidecar, 'requests that all differ', differing, scale));

    const before = await openFiles(sidecar);
    const leaving: Load = (count) => leave(port, count, requests);
    rows.push(await measure(sidecar, 'clients that leave', leaving, scale));
    return [...rows, await leftOpen(sidecar, before)];
  } finally {
    sidecar.child.kill('SIGKILL');
    await sidecar.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The first two batches fill caches and compile code, and are not measured. */
async function measure(
  sidecar: SidecarProcess,
  what: string,
  load: Load,
  scale: Scale,
): Promise<Row> {
  const { batches, perBatch, bound } = SCALES[scale];
  await load(2 * perBatch);
  let before = await heapBytes(sidecar);
  const slopes: number[] = [];
  for (let batch = 0; batch < batches; batch++) {
    await load(perBatch);
    const after = await heapBytes(sidecar);
    slopes.push((after - before) / perBatch);
    before = after;
  }
  return atMost(what, Math.round(median(slopes)), bound, 'bytes a request');
}

/**
 * Sends `count` requests over a few connections.
 *
 * @throws if a response has another status
 */
function send(
  port: number,
  count: number,
  requestAt: (index: number) => RouteRequest,
): Promise<void> {
  const connections = new Map<string, Connection>();
  return inLanes(count, async (index, lane) => {
    const request = requestAt(index);
    const key = `${lane} ${request.status}`;
    const connection = connections.get(key) ?? new Connection(port, request.status);
    connections.set(key, connection);
    await connection.ask(wireText(request)).catch((error: Error) => {
      throw new Error(`${request.method} ${request.target}: ${error.message}`);
    });
  }).finally(() => {
    for (const connection of connections.values()) connection.close();
  });
}

/** Sends requests and closes each connection: at once, or when the first bytes of a response come. */
function leave(port: number, count: number, requests: readonly RouteRequest[]): Promise<void> {
  return inLanes(count, async (index) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}); // the server may close first
    const text = wireText(requests[(index >> 1) % requests.length]!);
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      if (index % 2 === 0) socket.once('data', () => socket.destroy());
      socket.write(text, () => {
        if (index % 2 === 1) socket.destroy();
      });
    });
  });
}

async function inLanes(
  count: number,
  work: (index: number, lane: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async (lane: number): Promise<void> => {
    while (next < count) await work(next++, lane);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, lane) => run(lane)));
}

/** Waits until no more files and sockets are open than before; a row that failed says how many are. */
async function leftOpen(sidecar: SidecarProcess, before: number): Promise<Row> {
  const left = async () => (await openFiles(sidecar)) - before;
  await eventually(async () => (await left()) <= 0).catch(() => {});
  return atMost('files and sockets left open by clients that leave', await left(), 0);
}

async function openFiles({ child }: SidecarProcess): Promise<number> {
  return (await readdir(`/proc/${child.pid}/fd`)).length;
}

/** Returns the bytes in use after all garbage is collected. */
async function heapBytes({ child, lines }: SidecarProcess): Promise<number> {
  lines.length = 0; // or the log would fill the memory of the test
  const probed = () => lines.find(({ message }) => message === 'heap');
  child.kill('SIGUSR2');
  await eventually(() => probed() !== undefined);
  return probed()!.bytes as number;
}
