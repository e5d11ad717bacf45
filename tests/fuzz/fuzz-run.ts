import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallEdition } from '../support/edition-folder.ts';
import { eventually } from '../support/eventually.ts';
import { exchange } from '../support/http.ts';
import { readManifest } from '../support/pages.ts';
import { everyRoute, type RouteRequest } from '../support/routes.ts';
import { startSidecar, type SidecarProcess } from '../support/sidecar-process.ts';
import { sendRaw } from './connection.ts';
import { FuzzRequests, type FuzzRequest } from './requests.ts';
import { slowClients } from './slow-clients.ts';

export interface FuzzPlan {
  seed: number;
  /** Number of the first request; the others follow it. */
  from: number;
  count: number;
  /** Adds slow clients. */
  slow: boolean;
  /** Default: SQLite. */
  databaseUrl?: string | undefined;
}

export interface Failure {
  what: string;
  /**
   * Number of the request, which with the seed reproduces it; missing if no single request caused
   * this.
   */
  index?: number;
  /** The beginning of what was sent. */
  sent?: string;
}

export interface FuzzReport {
  /** Responses by status; `none` counts connections closed without one. */
  statuses: Record<string, number>;
  /** Responses to malformed requests with an intact path, by route or kind of file; 0 for none. */
  answers: Record<string, number>;
  failures: Failure[];
  seconds: number;
}

const AT_ONCE = 12;
/** Every route gets a valid request once in this many. */
const CHECK_EVERY = 200;
const MAX_FAILURES = 20;
const SHOWN = 600;
/** The target of a request ends within this many bytes, if it is an existing path. */
const TARGET_BYTES = 200;

/** Refusals of another version of HTTP, and of another format by oEmbed. */
const REFUSALS = new Set([505, 501]);

const REQUEST_SECONDS = 2;
/** Slow clients are checked once per second, on a busy machine. */
const CUT_MS = (REQUEST_SECONDS + 4) * 1000;

/**
 * Sends malformed requests to a sidecar of its own, a few at a time, and reports what went wrong.
 */
export async function fuzzRun(plan: FuzzPlan): Promise<FuzzReport> {
  const edition = await smallEdition();
  const routes = await everyRoute(await readManifest(edition));
  const dataDir = await mkdtemp(join(tmpdir(), 'reviews-fuzz-'));
  const sidecar = await startSidecar({
    EDITION: edition,
    DATA_DIR: dataDir,
    DATABASE_URL: plan.databaseUrl ?? '',
    MCP_SECRET: 'the secret of the tests',
    HUB_KEY: 'the key of the tests',
    RATE_LIMIT: '0',
    HUB_CALLBACK_ALLOW: '127.0.0.0/8',
    REQUEST_SECONDS: String(REQUEST_SECONDS),
  });
  try {
    await eventually(async () => (await fetch(`${sidecar.url}readyz`)).ok); // the store opens later
    return await sendAll(plan, sidecar, routes);
  } finally {
    sidecar.child.kill('SIGKILL');
    await sidecar.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function sendAll(
  { seed, from, count, slow }: FuzzPlan,
  sidecar: SidecarProcess,
  routes: readonly RouteRequest[],
): Promise<FuzzReport> {
  const port = Number(new URL(sidecar.url).port);
  const requests = new FuzzRequests(seed, routes);
  const answers: Record<string, number> = Object.fromEntries(routes.map(({ kind }) => [kind, 0]));
  const statuses: Record<string, number> = {};
  const failures: Failure[] = [];
  const underWay = new Map<number, FuzzRequest>();
  const end = new AbortController();
  let stderr = '';
  sidecar.child.stderr!.on('data', (chunk) => (stderr += chunk));
  void sidecar.exited.then(() => end.abort());

  const blame = (index: number, { kind, bytes }: FuzzRequest, what: string): void => {
    const sent = JSON.stringify(bytes.toString('latin1', 0, SHOWN));
    failures.push({ what: `${kind}: ${what}`, index, sent });
  };
  const countAnswer = ({ bytes }: FuzzRequest): void => {
    const target = bytes.toString('latin1', 0, TARGET_BYTES).split(' ', 2)[1];
    const path = target?.split('?', 1)[0];
    const kinds = routes.filter((route) => pathOf(route) === path).map(({ kind }) => kind);
    for (const kind of new Set(kinds)) answers[kind]!++;
  };
  const send = async (index: number): Promise<void> => {
    const request = requests.at(index);
    underWay.set(index, request);
    const { statuses: answered, closed } = await sendRaw(port, request.bytes, true);
    if (end.signal.aborted) return; // the check reports the requests pending at that time
    underWay.delete(index);
    for (const status of answered.length > 0 ? answered : ['none']) {
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    if (answered.length > 0) countAnswer(request);
    const bad = answered.find((status) => status >= 500 && !REFUSALS.has(status));
    if (bad !== undefined) blame(index, request, `the answer was ${bad}`);
    else if (!closed) blame(index, request, 'the connection hung');
  };
  /** Checks that every route responds as it should. */
  const check = async (): Promise<void> => {
    if (end.signal.aborted) {
      for (const [index, request] of underWay) blame(index, request, 'the process ended');
      underWay.clear();
      return;
    }
    for (const route of routes) {
      const { method, target, status: right, body } = route;
      const headers = { ...route.headers, connection: 'close' };
      const what = await exchange(sidecar.url, target, { method, headers, body }).then(
        ({ status }) => (status === right ? undefined : `was answered ${status}`),
        (error: Error) => error.message,
      );
      if (what !== undefined) failures.push({ what: `${method} ${target}: ${what}` });
    }
  };

  const began = performance.now();
  await check();
  const slowOnes = slow ? slowClients(port, CUT_MS) : [];
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < from + count && !end.signal.aborted && failures.length < MAX_FAILURES) {
      const index = next++;
      await send(index);
      if (index % CHECK_EVERY === 0) await check();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  for (const client of await slowOnes)
    failures.push({ what: `a client is not cut that ${client}` });
  await check();
  if (stderr !== '') failures.push({ what: `it wrote to stderr: ${stderr}` });
  for (const line of sidecar.lines) {
    if (line.level === 'error') failures.push({ what: `it logged ${JSON.stringify(line)}` });
  }
  return { statuses, answers, failures, seconds: (performance.now() - began) / 1000 };
}

function pathOf({ target }: RouteRequest): string {
  return target.split('?', 1)[0]!;
}
