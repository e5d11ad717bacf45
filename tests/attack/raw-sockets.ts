import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sendRaw } from '../fuzz/connection.ts';
import { samplesOf } from '../support/samples.ts';
import type { SidecarProcess } from '../support/sidecar-process.ts';
import { rawRequests } from './raw-requests.ts';

/** Responses by status as seen on the wire; `none` counts connections closed without a response. */
type Counts = Map<string, number>;

const REQUESTS = 'reviews_http_request_duration_seconds_count';
const AT_ONCE = 8;
const SETTLE_MS = 20_000;

/**
 * Sends malformed, ambiguous and slow requests to a sidecar without other clients, and compares the
 * responses on the wire with what the sidecar counted and logged.
 *
 * @param sidecar started with METRICS_PORT=0 and REQUEST_SECONDS=1
 * @returns what went wrong, one line each
 */
export async function attackRawSockets(sidecar: SidecarProcess): Promise<string[]> {
  const port = Number(new URL(sidecar.url).port);
  const failures: string[] = [];
  const wire: Counts = new Map();
  const add = (statuses: readonly number[]) => {
    for (const status of statuses) wire.set(String(status), (wire.get(String(status)) ?? 0) + 1);
  };
  const requests = rawRequests();
  const lane = async (): Promise<void> => {
    for (let next = requests.shift(); next; next = requests.shift()) {
      const { name, bytes, status } = next;
      const ends = status === 'none' ? 'left' : 'closed';
      const { statuses, closed } = await sendRaw(port, { kind: name, bytes, ends });
      add(statuses);
      const expected = status === 'none' ? '' : String(status);
      if (statuses.join() !== expected)
        failures.push(`${name}: answered ${statuses.join() || 'nothing'} instead of ${status}`);
      if (!closed) failures.push(`${name}: the connection hung`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  for (const [name, statuses] of await slowSenders(port)) {
    add(statuses);
    if (statuses.join() !== '408')
      failures.push(`${name}: answered ${statuses.join() || 'nothing'}`);
  }
  return [...failures, ...(await compare(wire, sidecar))];
}

/** Runs clients that start a request and never finish it; returns the statuses each received. */
async function slowSenders(port: number): Promise<[string, number[]][]> {
  const begun: Record<string, string> = {
    'a slow head': 'GET / HTTP/1.1\r\nHost: a\r\n',
    'a slow body': `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: 90\r\n\r\n{`,
  };
  return Promise.all(
    Object.entries(begun).map(async ([name, text]): Promise<[string, number[]]> => {
      const answer = await untilClosed(connect({ host: '127.0.0.1', port }), text);
      return [
        name,
        [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
      ];
    }),
  );
}

function untilClosed(socket: Socket, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    socket.on('error', () => {}); // a reset after the answer is the server's right
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.once('close', () => resolve(answer));
    socket.write(text);
  });
}

/** Lines and counters follow the end of an answer by a moment, so they are waited for. */
async function compare(wire: Counts, sidecar: SidecarProcess): Promise<string[]> {
  const metrics = sidecar.lines.find(({ message }) => message === 'metrics')!.url as string;
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const counted = countedBy(await (await fetch(metrics)).text());
    const logged: Counts = new Map();
    for (const { message, status } of sidecar.lines) {
      if (message === 'request' && status !== undefined)
        logged.set(String(status), (logged.get(String(status)) ?? 0) + 1);
    }
    const differing = [
      ...differences('the metric', wire, counted),
      ...differences('the log', wire, logged),
      ...sidecar.lines.filter(({ level }) => level === 'error').map((line) => JSON.stringify(line)),
    ];
    if (differing.length === 0 || performance.now() > deadline) return differing;
    await delay(100);
  }
}

function countedBy(text: string): Counts {
  const counts: Counts = new Map();
  for (const [name, value] of samplesOf(text)) {
    const status = name.startsWith(REQUESTS) && /status="(\d+)"/.exec(name)?.[1];
    if (status) counts.set(status, (counts.get(status) ?? 0) + value);
  }
  return counts;
}

function differences(name: string, wire: Counts, other: Counts): string[] {
  const statuses = new Set([...wire.keys(), ...other.keys()]);
  return [...statuses]
    .filter((status) => wire.get(status) !== other.get(status))
    .map(
      (status) =>
        `${status}: ${wire.get(status) ?? 0} on the wire, ${other.get(status) ?? 0} in ${name}`,
    );
}
