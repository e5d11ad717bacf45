import type { Job, Outcome } from './load/job.ts';
import type { LoadClient } from './load/load-client.ts';
import { significant } from './report.ts';
import type { ServerProcess } from './server-process.ts';
import { median } from './statistics.ts';

export interface Side {
  server: ServerProcess;
  /** Returns the requests of a round; round 0 warms up and is not counted. */
  job(round: number): Omit<Job, 'port' | 'connections'>;
}

export interface Comparison {
  /** The peer's processor time per request, divided by the subject's. */
  ratio: number;
  note: string;
}

const ROUNDS = 7;
const CONNECTIONS = 16;

/**
 * Sends requests to both servers in turn, round by round. It compares the processor time a server
 * spends per request, which, unlike throughput, does not depend on the client's speed.
 */
export async function compareServers(
  client: LoadClient,
  subject: Side,
  peer: Side,
  count = ROUNDS,
): Promise<Comparison> {
  const rounds: { subject: Cost; peer: Cost }[] = [];
  for (let round = 0; round <= count; round++) {
    const costs = {
      subject: await measure(client, subject, round),
      peer: await measure(client, peer, round),
    };
    if (round > 0) rounds.push(costs);
  }
  const throughput = median(rounds.map(({ subject, peer }) => peer.wall / subject.wall));
  const [own, other] = [
    median(rounds.map(({ subject }) => subject.cpu)),
    median(rounds.map(({ peer }) => peer.cpu)),
  ];
  return {
    ratio: median(rounds.map(({ subject, peer }) => peer.cpu / subject.cpu)),
    note: `CPU a request ${micros(own)} : ${micros(other)}; throughput ${significant(throughput)}`,
  };
}

/** Microseconds per request. */
interface Cost {
  cpu: number;
  wall: number;
}

async function measure(client: LoadClient, side: Side, round: number): Promise<Cost> {
  const job = side.job(round);
  const before = await side.server.cpuSeconds();
  const { seconds } = await send(client, side.server, job);
  const used = (await side.server.cpuSeconds()) - before;
  const each = 1e6 / job.paths.length;
  return { cpu: used * each, wall: seconds * each };
}

/** Sends a job's requests to a server. */
export function send(
  client: LoadClient,
  { port }: ServerProcess,
  job: Omit<Job, 'port' | 'connections'>,
): Promise<Outcome> {
  return client.run({ ...job, port, connections: CONNECTIONS });
}

/** Creates a job that repeats one request. */
export function repeated(
  count: number,
  path: string,
  headers: Record<string, string> = {},
  status = 200,
): Omit<Job, 'port' | 'connections'> {
  return { paths: Array.from({ length: count }, () => path), headers, status };
}

export function micros(value: number): string {
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} ms` : `${value.toFixed(1)} µs`;
}
