import { Agent, request } from 'node:https';
import { Outbound } from '../../../sidecar/hub/outbound/outbound.ts';
import { makeTestCa, type TestCa } from '../../support/test-ca.ts';
import { micros } from '../compare.ts';
import { significant, type Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { median } from '../statistics.ts';

const ORIGINS = [1, 16];
const BODY_BYTES = [1000, 60_000];
const PER_HOST = 2;
const REQUESTS = 2000;
const ROUNDS = 7;
const HEADERS = { 'content-type': 'application/json' };

/** Sends one POST and reads the response. */
type Send = (url: string, body: Buffer) => Promise<void>;

/** Compares the cost of the hub's outbound requests with `node:https` on as many connections. */
export async function outbound(): Promise<Row[]> {
  const addresses = Array.from({ length: Math.max(...ORIGINS) }, (_, at) => `127.0.0.${at + 1}`);
  const ca = makeTestCa();
  const { key, cert } = ca.issue(addresses);
  const env = { ADDRESSES: addresses.join(), CERT: cert, KEY: key };
  const sink = await ServerProcess.peer('https-sink.ts', env);
  try {
    const urls = (await (await fetch(`http://127.0.0.1:${sink.port}/`)).json()) as string[];
    const rows: Row[] = [];
    for (const origins of ORIGINS) {
      for (const bytes of BODY_BYTES) rows.push(await compare(ca, urls.slice(0, origins), bytes));
    }
    return rows;
  } finally {
    await sink.stop();
  }
}

async function compare({ ca }: TestCa, urls: readonly string[], bytes: number): Promise<Row> {
  const body = Buffer.alloc(bytes, 'x');
  const hub = new Outbound({ allow: ['127.0.0.0/8'], ca });
  const agent = new Agent({ keepAlive: true, maxSockets: PER_HOST, ca });
  try {
    const rounds: { own: Cost; plain: Cost }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const costs = {
        own: await measure(through(hub), urls, body),
        plain: await measure(plainly(agent), urls, body),
      };
      if (round > 0) rounds.push(costs);
    }
    const [own, plain] = [
      median(rounds.map(({ own }) => own.cpu)),
      median(rounds.map(({ plain }) => plain.cpu)),
    ];
    const throughput = median(rounds.map(({ own, plain }) => plain.wall / own.wall));
    return {
      work: `outbound, ${bytes / 1000} kB to ${urls.length} ${urls.length === 1 ? 'origin' : 'origins'}`,
      against: 'node:https, keep-alive agent',
      ratio: median(rounds.map(({ own, plain }) => plain.cpu / own.cpu)),
      goal: { is: 'least', value: 0.8 },
      note: `CPU a request ${micros(own)} : ${micros(plain)}; throughput ${significant(throughput)}`,
    };
  } finally {
    hub.close();
    agent.destroy();
  }
}

function through(hub: Outbound): Send {
  return async (url, body) => {
    const outcome = await hub.send({
      method: 'POST',
      url,
      headers: HEADERS,
      body,
      maxBody: 1024,
      patienceMs: 10_000,
    });
    if (outcome.kind === 'failure') throw new Error(outcome.reason);
  };
}

function plainly(agent: Agent): Send {
  return (url, body) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { agent, method: 'POST', headers: HEADERS }, (response) => {
        response.resume().once('end', resolve);
      });
      sent.once('error', reject).end(body);
    });
}

/** Microseconds per request. */
interface Cost {
  cpu: number;
  wall: number;
}

/** Sends as many requests at once as there are connections. */
async function measure(send: Send, urls: readonly string[], body: Buffer): Promise<Cost> {
  let left = REQUESTS;
  const senders = Array.from({ length: PER_HOST }, () => urls).flat();
  const started = performance.now();
  const before = process.cpuUsage();
  await Promise.all(
    senders.map(async (url) => {
      while (left-- > 0) await send(url, body);
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return {
    cpu: (user + system) / REQUESTS,
    wall: ((performance.now() - started) * 1000) / REQUESTS,
  };
}
