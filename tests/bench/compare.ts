import { Pool } from 'undici';
import { median } from '../support/statistics.ts';
import type { ServerProcess } from './server-process.ts';

/** Requests, each sent once. */
export interface Job {
  /** Paths with their query. */
  paths: readonly string[];
  /** One body to POST to each path; without them, the paths are read with GET. */
  bodies?: readonly string[];
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Expected status, default 200; any other ends the run. */
  status?: number;
}

export interface Side {
  server: ServerProcess;
  /** Returns the requests of a round; round 0 warms up and is not counted. */
  job(round: number): Job;
}

export interface Comparison {
  /** The peer's processor time per request, divided by the subject's. */
  ratio: number;
  note: string;
}

const ROUNDS = 5;
/** Few, because the service refuses work that waits for more than a second. */
const CONNECTIONS = 8;
const REFUSED = 503;

/**
 * Sends requests to both servers in turn, round by round. It compares the processor time a server
 * spends per request, which, unlike throughput, does not depend on the client's speed.
 */
export async function compareServers(subject: Side, peer: Side): Promise<Comparison> {
  const rounds: { own: number; other: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const costs = { own: await cost(subject, round), other: await cost(peer, round) };
    if (round > 0) rounds.push(costs);
  }
  const [own, other] = [
    median(rounds.map(({ own }) => own)),
    median(rounds.map(({ other }) => other)),
  ];
  return {
    ratio: median(rounds.map(({ own, other }) => other / own)),
    note: `CPU a request ${micros(own)} : ${micros(other)}`,
  };
}

/** Returns the microseconds of processor time per request. */
async function cost({ server, job }: Side, round: number): Promise<number> {
  const sent = job(round);
  const before = await server.cpuSeconds();
  await send(server, sent);
  return (((await server.cpuSeconds()) - before) * 1e6) / sent.paths.length;
}

/** Sends a job's requests to a server. Returns the sum of the bytes of all bodies. */
export async function send(
  { port }: ServerProcess,
  { paths, bodies, headers = {}, status = 200 }: Job,
): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  let next = 0;
  let bytes = 0;
  const lane = async (): Promise<void> => {
    while (next < paths.length) {
      const at = next++;
      const body = bodies?.[at];
      const method = body === undefined ? 'GET' : 'POST';
      const request = { path: paths[at]!, method, headers, body: body ?? null } as const;
      let answer = await pool.request(request);
      // On a busy machine even one search may wait for more than a second.
      while (answer.statusCode === REFUSED) {
        await answer.body.dump();
        answer = await pool.request(request);
      }
      if (answer.statusCode !== status) throw new Error(`${answer.statusCode} for ${paths[at]}`);
      bytes += (await answer.body.arrayBuffer()).byteLength;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  await pool.close();
  return bytes;
}

/** Creates a job that repeats one request. */
export function repeated(count: number, path: string, more: Omit<Job, 'paths'> = {}): Job {
  return { paths: Array.from({ length: count }, () => path), ...more };
}

export function micros(value: number): string {
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} ms` : `${value.toFixed(1)} µs`;
}
