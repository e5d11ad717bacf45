import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { strongETag } from '../../src/edition/etag.ts';
import { subscriber } from '../support/callback-server.ts';
import { eventually } from '../support/eventually.ts';
import type { temporaryFolder } from '../support/fixtures.ts';
import { bytesOf, exchange } from '../support/http.ts';
import { onLoopback } from '../support/hub-process.ts';
import { readManifest } from '../support/pages.ts';
import { everyRoute, isFile } from '../support/routes.ts';
import { slope } from '../support/statistics.ts';

const READERS = 6;
const SUBSCRIBERS = 40;
const SAMPLE_MS = 500;
const PUBLISH_MS = 5_000;

/**
 * Reads every route and kind of file of a sidecar, again and again, while editions are published and
 * pushed.
 *
 * @returns also wrong answers and errors of the log, and the growth of the resident memory in the second
 *   half, in bytes per minute
 * @throws unless every subscriber has the newest edition in the end
 */
export async function soakRun(context: Parameters<typeof temporaryFolder>[0], loadMs: number) {
  const { edition, callbacks, start, subscribe, request } = await onLoopback(context, true);
  const { url, child, lines } = await start({ REFRESH_SECONDS: '2' });
  const routes = await everyRoute(await readManifest(edition.folder));
  const newest = new Map<string, number>();
  callbacks.handle((received, response) => {
    const { method, path, body } = received;
    if (method === 'POST') newest.set(path, edition.versionOf(body));
    return subscriber(received, response);
  });
  const paths = Array.from({ length: SUBSCRIBERS }, (_, index) => `/${index}`);
  for (const path of paths) await subscribe(url, path);

  const over = AbortSignal.timeout(loadMs);
  const failures: string[] = [];
  const memory: [minutes: number, bytes: number][] = [];
  let [answers, version] = [0, 0];
  const publish = async () => {
    await edition.put(++version);
    await request(url, { mode: 'publish', url: edition.topic() });
  };
  const read = async (_: unknown, first: number): Promise<void> => {
    for (let at = first; !over.aborted; at++) {
      const route = routes[at % routes.length]!;
      const answer = await exchange(url, route.target, route);
      const etag = strongETag(await bytesOf(answer));
      answers++;
      const isWhole = !isFile(route) || answer.headers.get('etag') === etag;
      if (answer.status !== route.status || !isWhole) {
        failures.push(`${route.target}: ${answer.status}`);
      }
    }
  };
  const push = async (): Promise<void> => {
    while (!over.aborted) {
      await publish();
      await delay(PUBLISH_MS);
    }
  };
  const watch = async (): Promise<void> => {
    while (!over.aborted) {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]);
      memory.push([performance.now() / 60_000, kilobytes * 1024]);
      // Otherwise they would fill the memory of this process.
      callbacks.requests.length = 0;
      const errors = lines.splice(0).filter(({ level }) => level === 'error');
      failures.push(...errors.map((line) => JSON.stringify(line)));
      await delay(SAMPLE_MS);
    }
  };
  await Promise.all([...Array.from({ length: READERS }, read), push(), watch()].flat());
  await publish();
  await eventually(() => paths.every((path) => newest.get(path) === version));
  return { answers, editions: version, failures, growth: slope(memory.slice(memory.length >> 1)) };
}
