import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTestCa } from '../../support/test-ca.ts';
import type { Tools } from '../bench.ts';
import type { Row } from '../report.ts';
import { forkWith } from './children.ts';
import type { SendOrder, SendReport } from './sender.ts';
import { onReplicas } from './replicas.ts';
import type { SinkOrder, SinkPorts } from './sink.ts';

const POSTS = 10_000;
/** Loopback addresses, each an origin of its own. */
const ORIGINS = Array.from({ length: 16 }, (_, index) => `127.0.0.${index + 1}`);
const PER_HOST = 2;

/**
 * Compares one publish to many subscribers, over TLS and signed, with the same posts without a hub. CPU
 * times can be compared on a busy machine too.
 */
export async function fanOut({ size: subscribers }: Pick<Tools, 'size'>): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-fan-out-'));
  const { ca, issue } = makeTestCa();
  const order: SinkOrder = { pair: issue(ORIGINS), addresses: ORIGINS };
  const { child: sink, answer: ports } = await forkWith<SinkPorts>('sink.ts', order);
  try {
    const urls = ORIGINS.map((address, index) => `https://${address}:${ports[index]}`);
    const rows: Row[] = [];
    let postSeconds = 0;
    for (const origins of [urls.slice(0, 1), urls]) {
      const connections = PER_HOST * origins.length;
      // Just before the hub, because both are slower on a busy machine.
      const posts = await send({ as: 'posts', connections, posts: POSTS, port: ports[0]!, ca });
      postSeconds = posts.cpuSeconds;
      const file = join(folder, `${origins.length}.sqlite`);
      const hub = await send({ as: 'hub', file, ca, origins, subscribers });
      rows.push({
        work: `deliveries a CPU second, ${subscribers} subscribers, origins: ${origins.length}`,
        against: 'https keep-alive, signed',
        ratio: posts.cpuSeconds / hub.cpuSeconds,
        goal: { is: 'min', value: 0.8 },
        note:
          `${(hub.cpuSeconds * 1e6).toFixed(0)} : ${(posts.cpuSeconds * 1e6).toFixed(0)} µs; ` +
          `a second ${(1 / hub.seconds).toFixed(0)} : ${(1 / posts.seconds).toFixed(0)}`,
      });
    }
    return [...rows, ...(await onReplicas(subscribers, postSeconds))];
  } finally {
    sink.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

async function send(order: SendOrder): Promise<SendReport> {
  return (await forkWith<SendReport>('sender.ts', order)).answer;
}
