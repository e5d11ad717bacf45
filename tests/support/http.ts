import { request } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';

export interface RequestOptions {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer<ArrayBuffer>;
}

/**
 * Sends one request over a socket. Unlike `fetch` it normalizes nothing: the request target is sent
 * as given, and the body is returned as encoded.
 */
export async function exchange(
  origin: string,
  target: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Response> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: target, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const status = answer.statusCode!;
        const body = NULL_BODY.has(status) ? null : Buffer.concat(chunks);
        resolve(new Response(body, { status, headers: headerPairs(answer.rawHeaders) }));
      });
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

/** Statuses whose `Response` may have no body (Fetch standard, section 2.2.3). */
const NULL_BODY = new Set([204, 205, 304]);

function headerPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at]!, raw[at + 1]!]);
  return pairs;
}

const RAW_MS = 120_000;

/** Sends lines and returns everything the server writes until it closes. */
export async function rawExchange(origin: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  const [first, ...rest] = lines;
  const sent = [first, `Host: ${hostname}`, ...rest, 'Connection: close', '', ''];
  // Not half-closed, because a proxy would assume that the client went away.
  socket.write(sent.join('\r\n'), 'latin1');
  socket.setTimeout(RAW_MS, () => socket.destroy(new Error('the server does not close')));
  return readText(socket);
}

export async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

const OF_THE_MOMENT = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

/** Returns the headers that describe a response, without those of the connection or the moment. */
export function statedHeaders(response: Response): Record<string, string> {
  const stated = [...response.headers].filter(([name]) => !OF_THE_MOMENT.has(name));
  return Object.fromEntries(stated);
}

export function queryString(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString();
}
