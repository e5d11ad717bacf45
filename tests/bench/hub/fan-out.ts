import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTestCa } from '../../support/test-ca.ts';
import type { Row } from '../report.ts';
import type { SendOrder, SendReport } from './sender.ts';
import type { SinkOrder, SinkPorts } from './sink.ts';

const SIZES = [10_000, 100_000];
const POSTS = 20_000;
/** With this many, the first half is longer than the start. */
const MANY = 100_000;
/** Loopback addresses, each an origin of its own. */
const ORIGINS = Array.from({ length: 16 }, (_, index) => `127.0.0.${index + 1}`);
const PER_HOST = 2;
const MIB = 1024 * 1024;

/** As the service is started: young objects get little room, so that they are collected early. */
const FLAGS = ['--max-semi-space-size=8'];

/**
 * Compares one publish to many subscribers, over TLS and signed, with the same posts without a hub. CPU
 * times can be compared on a busy machine too.
 */
export async function fanOut(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-fan-out-'));
  const sink = fork(join(import.meta.dirname, 'sink.ts'));
  try {
    const ca = makeTestCa();
    const order: SinkOrder = { pair: ca.issue(ORIGINS), addresses: ORIGINS };
    const ports = await ask<SinkPorts>(sink, order);
    const urls = ORIGINS.map((address, index) => `https://${address}:${ports[index]}`);
    const rows: Row[] = [];
    for (const origins of [urls.slice(0, 1), urls]) {
      const connections = PER_HOST * origins.length;
      for (const subscribers of SIZES) {
        // Just before the hub, because both are slower on a busy machine.
        const posts = {
          as: 'posts',
          connections,
          posts: POSTS,
          port: ports[0]!,
          ca: ca.ca,
        } as const;
        const signed = await send(posts);
        const peer = { rate: POSTS / signed.seconds, cpu: signed.cpuSeconds / POSTS };
        const file = join(folder, `${origins.length}-${subscribers}.sqlite`);
        const hub = await send({ as: 'hub', file, ca: ca.ca, origins, subscribers });
        rows.push(...compare(origins.length, subscribers, hub, peer));
      }
    }
    return rows;
  } finally {
    sink.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Posts per second, and CPU seconds of one. */
interface Peer {
  rate: number;
  cpu: number;
}

function compare(origins: number, subscribers: number, hub: SendReport, peer: Peer): Row[] {
  const rate = subscribers / hub.seconds;
  const what = `${subscribers} subscribers, ${origins} origin${origins > 1 ? 's' : ''}`;
  const cpu = hub.cpuSeconds / subscribers;
  const [first, second] = hub.mostBytes;
  const grown = `${(hub.grownBytes / MIB).toFixed(0)} MiB`;
  const each = `${(hub.grownBytes / subscribers).toFixed(0)} bytes a subscriber`;
  return [
    {
      work: `deliveries a second, ${what}`,
      against: 'https keep-alive, signed',
      ratio: rate / peer.rate,
      note: `${rate.toFixed(0)} : ${peer.rate.toFixed(0)}`,
    },
    {
      work: `deliveries a CPU second, ${what}`,
      against: 'https keep-alive, signed',
      ratio: peer.cpu / cpu,
      goal: { is: 'least', value: 0.8 },
      note: `${(cpu * 1e6).toFixed(0)} : ${(peer.cpu * 1e6).toFixed(0)} µs`,
    },
    {
      work: `event loop held up, ${what}`,
      against: '50 ms',
      ratio: hub.heldUpMs / 50,
      goal: { is: 'most', value: 1 },
      note: `${hub.heldUpMs.toFixed(0)} ms at most, ${hub.heldUpCpuMs.toFixed(0)} ms of processor time`,
    },
    {
      work: `memory in the second half, ${what}`,
      against: 'the first half',
      ratio: second / first,
      ...(subscribers >= MANY && { goal: { is: 'most', value: 1.1 } }),
      note: `${(second / MIB).toFixed(0)} MiB, grew ${grown}: ${each}`,
    },
  ];
}

async function send(order: SendOrder): Promise<SendReport> {
  const child = fork(join(import.meta.dirname, 'sender.ts'), { execArgv: FLAGS });
  return ask<SendReport>(child, order);
}

async function ask<Answer>(child: ChildProcess, order: SendOrder | SinkOrder): Promise<Answer> {
  child.send(order);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the bench ended with ${code}`);
  });
  failed.catch(() => {}); // also ends with the bench
  const [answer] = (await Promise.race([once(child, 'message'), failed])) as [Answer];
  return answer;
}
