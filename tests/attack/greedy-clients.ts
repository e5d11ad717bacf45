import { connect } from 'node:net';
import { workerData } from 'node:worker_threads';
import { Agent, request } from 'node:http';

// Clients that ask for as much as their limits let them. They are a thread of their own, so that they do
// not hold up whoever is measured beside them.

export type Greed = 'searches' | 'pages' | 'counts' | 'tools' | 'names' | 'pipelined';

interface Load {
  kind: Greed;
  port: number;
  /** The first two numbers of the addresses of the clients. */
  network: string;
  /** Shared; its number grows with each 200. */
  answered: Int32Array;
}

const { kind, port, network, answered } = workerData as Load;
const CLIENTS = 20;
const PIPELINES = 4;
const WORDS = 'the and was for with they our that this you have very'.split(' ');
const NAMED = 'aspect topic mentions_service mentions_technician mentions_problem mentions_area';
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
let number = 0;

/** Returns a path that nobody asked for before, and the body if it is to be posted. */
function question(): [path: string, body?: string] {
  number++;
  const word = WORDS[number % WORDS.length]!;
  const names = Array.from(
    { length: 10 },
    (_, at) => `unknown${number}${'abcdefghij'[at]!.repeat(7)}`,
  );
  const query = `${WORDS.slice(number % 3).join(' ')} x${number}`;
  const call = { name: 'search', arguments: { query } };
  const asked = {
    searches: () =>
      `/api/reviews/search?match=words&query=${word}&facets=aspect,topic,month&limit=100&n=${number}`,
    pages: () => `/search/?query=${word}+q${number}&limit=100`,
    counts: () => `/api/reviews/count?group_by=aspect,month&examples=2&query=e&n=${number}`,
    tools: () => '/mcp',
    names: () =>
      `/api/reviews/search?${NAMED.split(' ')
        .map((name) => `${name}=${names.join()}`)
        .join('&')}`,
    pipelined: () => '/healthz',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call', params: call });
  return kind === 'tools' ? ['/mcp', body] : [asked[kind]()];
}

/** Sends a question, and returns its status and the seconds that the client is to wait. */
function send(client: number): Promise<{ status: number; wait: number }> {
  const [path, body] = question();
  const headers = {
    'x-forwarded-for': `${network}.0.${client}`,
    ...(body && {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }),
  };
  return new Promise((resolve) => {
    const sent = request(
      { port, host: '127.0.0.1', path, agent, method: body ? 'POST' : 'GET', headers },
      (answer) => {
        const wait = Number(answer.headers['retry-after'] ?? 0);
        answer.resume().once('end', () => resolve({ status: answer.statusCode!, wait }));
      },
    );
    sent.once('error', () => resolve({ status: 0, wait: 1 }));
    sent.end(body);
  });
}

async function askOnAndOn(client: number): Promise<void> {
  for (;;) {
    const { status, wait } = await send(client);
    if (status === 200) Atomics.add(answered, 0, 1);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
}

/** Writes health checks without waiting for an answer. */
function pipeline(): void {
  const block = Buffer.from(
    `GET /healthz HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${network}.0.1\r\n\r\n`.repeat(500),
  );
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.on('data', (data) => Atomics.add(answered, 0, data.includes('200 OK') ? 1 : 0));
  const go = (): void => {
    let hasRoom = true;
    while (hasRoom) hasRoom = socket.write(block);
    socket.once('drain', go);
  };
  socket.once('connect', go);
}

if (kind === 'pipelined') for (let each = 0; each < PIPELINES; each++) pipeline();
else for (let client = 1; client <= CLIENTS; client++) void askOnAndOn(client);
