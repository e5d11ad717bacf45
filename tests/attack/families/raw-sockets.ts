import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sendRaw } from '../../fuzz/connection.ts';
import { smallEdition } from '../../support/edition-folder.ts';
import { samplesOf } from '../../support/samples.ts';
import { startSidecar, type SidecarProcess } from '../../support/sidecar-process.ts';
import { none, type Family, type Row, type Scale } from '../family.ts';
import { rawRequests } from '../raw-requests.ts';

/** Counts the responses of each status. */
type Counts = Map<string, number>;

const REQUESTS = 'reviews_http_request_duration_seconds_count';
const ROUNDS: Record<Scale, number> = { short: 1, long: 20 };
const AT_ONCE = 8;
const SETTLE_MS = 120_000;

/** Malformed, ambiguous and slow requests: counted on the wire, in the metrics and in the log. */
export const rawSockets: Family = { name: 'raw sockets', run };

async function run(scale: Scale): Promise<Row[]> {
  return [...(await attackBehind('off', scale)), ...(await attackBehind('loopback', scale))];
}

async function attackBehind(trustProxy: string, scale: Scale): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'reviews-raw-'));
  const sidecar = await startSidecar({
    EDITION: await smallEdition(),
    DATA_DIR: dataDir,
    RATE_LIMIT: '0',
    METRICS_PORT: '0',
    REQUEST_SECONDS: '1',
    TRUST_PROXY: trustProxy,
  });
  try {
    const { wrong, wire } = await sendAll(sidecar, ROUNDS[scale]);
    const sent = wire.values().reduce((sum, count) => sum + count, 0);
    return [
      none(`wrong responses among ${sent}, TRUST_PROXY=${trustProxy}`, wrong),
      none('statuses that the metrics or the log count differently', await compare(wire, sidecar)),
    ];
  } finally {
    sidecar.child.kill('SIGKILL');
    await sidecar.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function sendAll(
  sidecar: SidecarProcess,
  rounds: number,
): Promise<{ wrong: string[]; wire: Counts }> {
  const port = Number(new URL(sidecar.url).port);
  const wrong: string[] = [];
  const wire: Counts = new Map();
  const check = (name: string, statuses: readonly number[], expected: number | 'none'): void => {
    for (const status of statuses) wire.set(String(status), (wire.get(String(status)) ?? 0) + 1);
    const answer = statuses.join() || 'none';
    if (answer !== String(expected)) wrong.push(`${name}: ${answer} instead of ${expected}`);
  };
  const requests = Array.from({ length: rounds }, rawRequests).flat();
  const lane = async (): Promise<void> => {
    for (let next = requests.shift(); next; next = requests.shift()) {
      const { name, bytes, status } = next;
      const ends = status === 'none' ? 'left' : 'closed';
      const { statuses, closed } = await sendRaw(port, { kind: name, bytes, ends });
      check(name, statuses, status);
      if (!closed) wrong.push(`${name}: the connection hung`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  for (const [name, statuses] of await slowSenders(port)) check(name, statuses, 408);
  return { wrong, wire };
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
