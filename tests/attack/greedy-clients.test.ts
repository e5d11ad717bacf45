import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { editionFolder } from '../support/edition-folder.ts';
import { eventually, realTime } from '../support/eventually.ts';
import { exchange } from '../support/http.ts';
import { multiplyReviews } from '../support/multiply-reviews.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { SLOW } from '../support/slow.ts';
import { median } from '../support/statistics.ts';
import type { Greed } from './greedy-clients.ts';

const COPIES = 30; // some 10,000 reviews
const VISIT_MS = 2_000;
const PAUSE_MS = 40;
/** On a busy machine one visit may meet another program. */
const ATTEMPTS = 3;
/** A visit at rest that takes less is compared as if it took this long, as timers are coarse. */
const MIN_MS = 3;
/** Times that an honest visitor's median may be of that at rest; for a search 100 ms were decided. */
const MAX_TIMES = { health: 3, file: 3, search: 100 / MIN_MS };

type Kind = keyof typeof MAX_TIMES;

const PROBE_MS = 300;

/** Returns the share of a core that a computing program gets beside all others of the machine, at least a half. */
function shareOfACore(): number {
  const before = process.threadCpuUsage();
  const until = performance.now() + PROBE_MS;
  while (performance.now() < until);
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(0.5, (user + system) / 1000 / PROBE_MS);
}

const GREEDS: readonly Greed[] = ['searches', 'pages', 'counts', 'tools', 'names', 'pipelined'];

let visits = 0;

/** Asks for a while as a person does, and returns the median milliseconds of each kind of request. */
async function visit(url: string): Promise<Record<Kind, number>> {
  // Each visitor is another client, whom no limit stops.
  const visitor = `10.200.0.${++visits}`;
  const until = performance.now() + VISIT_MS;
  let number = 0;
  const paths: Record<Kind, () => string> = {
    health: () => '/healthz',
    file: () => '/api/feed.json',
    search: () => `/api/reviews/search?match=words&query=great+service&n=${number++}`,
  };
  const lane = async (path: () => string): Promise<number> => {
    const times: number[] = [];
    while (performance.now() < until) {
      const started = performance.now();
      const { status } = await exchange(url, path(), {
        headers: { 'x-forwarded-for': visitor },
      });
      // A search that waits for too long is refused.
      assert.ok(status === 200 || status === 503, `${status}`);
      times.push(status === 200 ? performance.now() - started : Infinity);
      await realTime(PAUSE_MS);
    }
    return median(times);
  };
  const kinds = [lane(paths.health), lane(paths.file), lane(paths.search)] as const;
  const [health, file, search] = await Promise.all(kinds);
  return { health, file, search };
}

let networks = 0;

/** Visits a server while clients that asked for nothing before are greedy with one. */
async function visitBeside(kind: Greed, greedyWith: string, url: string) {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const port = Number(new URL(greedyWith).port);
  const network = `10.${++networks}`;
  const load = new Worker(new URL('greedy-clients.ts', import.meta.url), {
    workerData: { kind, port, network, answered },
  });
  try {
    await eventually(() => Atomics.load(answered, 0) > 0);
    return await visit(url);
  } finally {
    await load.terminate();
  }
}

/**
 * Returns how much longer each kind of request takes than at rest. Then the same clients are greedy with
 * another server, so that they take as much of the machine.
 */
async function slowedBy(kind: Greed, url: string, other: string): Promise<Record<Kind, number>> {
  const rest = await visitBeside(kind, other, url);
  const beside = await visitBeside(kind, url, url);
  const times = (each: Kind) => beside[each] / Math.max(MIN_MS, rest[each]);
  return { health: times('health'), file: times('file'), search: times('search') };
}

test(
  'clients wait briefly beside clients that ask for all that their limits allow',
  SLOW,
  async (context) => {
    const { source, dataDir } = await editionFolder(context);
    await multiplyReviews(source, COPIES);
    const env = { EDITION: source, TRUST_PROXY: 'loopback', METRICS_PORT: 'off' };
    const { url } = await startSidecar({ ...env, DATA_DIR: dataDir }, context);
    const { url: other } = await startSidecar({ ...env, DATA_DIR: `${dataDir}-other` }, context);
    for (const each of [url, other]) await visit(each); // compiles all code
    for (const kind of GREEDS) {
      await context.test(`beside ${kind}`, async () => {
        let slow: Kind[] = [];
        let shown = '';
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const share = shareOfACore();
          const times = await slowedBy(kind, url, other);
          slow = (Object.keys(MAX_TIMES) as Kind[]).filter(
            (each) => times[each] > MAX_TIMES[each] / share,
          );
          shown = JSON.stringify({ ...times, share });
          context.diagnostic(`${kind} ${shown}`);
          if (slow.length === 0) return;
        }
        assert.deepEqual(slow, [], shown);
      });
    }
  },
);
