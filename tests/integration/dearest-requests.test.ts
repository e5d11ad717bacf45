import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dearestRequests, type DearRequest } from '../support/dearest-requests.ts';
import { readDataset } from '../support/edition.ts';
import { editionFolder } from '../support/edition-folder.ts';
import { multiplyReviews } from '../support/multiply-reviews.ts';
import { processorTime } from '../support/processor-time.ts';
import { appOf } from '../support/targets.ts';

const COPIES = 30; // some 10,000 reviews
const CLIENTS = 4;
const CONNECTIONS = 3; // of each client
/** The dearest pages and calls of tools take some 10 ms of a turn; all work at once would take seconds. */
const MAX_MS = 50;
/** One turn may also have a collection of garbage. */
const LONGEST_MS = 200;

test('dearest requests of four clients leave health checks fast', async (context) => {
  const { source: folder } = await editionFolder(context);
  await multiplyReviews(folder, COPIES);
  const app = await appOf(folder);
  const dataset = await readDataset(folder);
  const send = async ({ name, path, init }: DearRequest): Promise<void> => {
    const { status } = await app.request(path, init);
    // 400 for a batch, 404 for the page of a copy, 503 on a busy machine.
    assert.ok([200, 400, 404, 503].includes(status), `${name}: ${status}`);
  };
  for (const each of dearestRequests(dataset, 0)) await send(each); // compiles all code
  const lists = Array.from({ length: CLIENTS * CONNECTIONS }, (_, at) => {
    const requests = dearestRequests(dataset, at + 1);
    return [...requests.slice(at * 3), ...requests.slice(0, at * 3)];
  });

  const done = new AbortController();
  const clients = lists.map(async (requests) => {
    for (const each of requests) await send(each);
  });
  const all = Promise.all(clients).finally(() => done.abort());
  const turns: number[] = [];
  while (!done.signal.aborted) {
    const started = processorTime();
    await nextTurn();
    turns.push(processorTime() - started);
  }
  await all;
  turns.sort((a, b) => a - b);
  // A request that arrives, such as a health check, waits for the rest of a turn of the event loop.
  const [p99, longest] = [turns[Math.floor(turns.length * 0.99)]!, turns.at(-1)!];
  assert.ok(turns.length > 50, `${turns.length} turns`);
  assert.ok(p99 < MAX_MS && longest < LONGEST_MS, `p99 ${p99} ms, longest ${longest} ms`);
});
