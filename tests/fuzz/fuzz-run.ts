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
const MOST_FAILURES = 20;
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
    return await new FuzzRun(plan, sidecar, routes).run();
  } finally {
    sidecar.child.kill('SIGKILL');
    await sidecar.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

class FuzzRun {
  readonly #plan: FuzzPlan;
  readonly #sidecar: SidecarProcess;
  readonly #port: number;
  readonly #routes: readonly RouteRequest[];
  readonly #requests: FuzzRequests;
  readonly #answers: Record<string, number>;
  readonly #failures: Failure[] = [];
  readonly #statuses: Record<string, number> = {};
  readonly #underWay = new Map<number, FuzzRequest>();
  #ended = false;

  constructor(plan: FuzzPlan, sidecar: SidecarProcess, routes: readonly RouteRequest[]) {
    this.#plan = plan;
    this.#sidecar = sidecar;
    this.#port = Number(new URL(sidecar.url).port);
    this.#routes = routes;
    this.#requests = new FuzzRequests(plan.seed, routes);
    this.#answers = Object.fromEntries(routes.map(({ kind }) => [kind, 0]));
  }

  async run(): Promise<FuzzReport> {
    const began = performance.now();
    let stderr = '';
    this.#sidecar.child.stderr!.on('data', (chunk) => (stderr += chunk));
    void this.#sidecar.exited.then(() => (this.#ended = true));
    await this.#check();
    const slow = this.#plan.slow ? slowClients(this.#port, CUT_MS) : [];
    let next = this.#plan.from;
    const last = next + this.#plan.count;
    const lane = async (): Promise<void> => {
      while (next < last && !this.#ended && this.#failures.length < MOST_FAILURES) {
        const index = next++;
        await this.#send(index);
        if (index % CHECK_EVERY === 0) await this.#check();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    for (const client of await slow) this.#fail({ what: `a client is not cut that ${client}` });
    await this.#check();
    if (stderr !== '') this.#fail({ what: `it wrote to stderr: ${stderr}` });
    for (const line of this.#sidecar.lines) {
      if (line.level === 'error') this.#fail({ what: `it logged ${JSON.stringify(line)}` });
    }
    const seconds = (performance.now() - began) / 1000;
    const [statuses, answers] = [this.#statuses, this.#answers];
    return { statuses, answers, failures: this.#failures, seconds };
  }

  async #send(index: number): Promise<void> {
    const request = this.#requests.at(index);
    this.#underWay.set(index, request);
    const { statuses, closed } = await sendRaw(this.#port, request.bytes, true);
    if (this.#ended) return; // the check reports the requests pending at that time
    this.#underWay.delete(index);
    for (const status of statuses.length > 0 ? statuses : ['none']) {
      this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    }
    if (statuses.length > 0) this.#countAnswer(request);
    const bad = statuses.find((status) => status >= 500 && !REFUSALS.has(status));
    if (bad !== undefined) this.#blame(index, request, `the answer was ${bad}`);
    else if (!closed) this.#blame(index, request, 'the connection hung');
  }

  #countAnswer({ bytes }: FuzzRequest): void {
    const target = bytes.toString('latin1', 0, TARGET_BYTES).split(' ', 2)[1];
    const path = target?.split('?', 1)[0];
    const kinds = this.#routes.filter((route) => pathOf(route) === path).map(({ kind }) => kind);
    for (const kind of new Set(kinds)) this.#answers[kind]!++;
  }

  /** Checks that every route responds as it should. */
  async #check(): Promise<void> {
    if (this.#ended) {
      for (const [index, request] of this.#underWay)
        this.#blame(index, request, 'the process ended');
      this.#underWay.clear();
      return;
    }
    for (const route of this.#routes) {
      const { method, target, status: right, body } = route;
      const headers = { ...route.headers, connection: 'close' };
      const what = await exchange(this.#sidecar.url, target, { method, headers, body }).then(
        ({ status }) => (status === right ? undefined : `was answered ${status}`),
        (error: Error) => error.message,
      );
      if (what !== undefined) this.#fail({ what: `${method} ${target}: ${what}` });
    }
  }

  #blame(index: number, { kind, bytes }: FuzzRequest, what: string): void {
    const sent = JSON.stringify(bytes.toString('latin1', 0, SHOWN));
    this.#fail({ what: `${kind}: ${what}`, index, sent });
  }

  #fail(failure: Failure): void {
    this.#failures.push(failure);
  }
}

function pathOf({ target }: RouteRequest): string {
  return target.split('?', 1)[0]!;
}
