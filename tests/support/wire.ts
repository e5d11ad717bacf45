import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { RouteRequest } from './routes.ts';

/** A request that is written exactly as given. */
export type WireRequest = Pick<RouteRequest, 'method' | 'target' | 'headers' | 'body'>;

/** A response as read from the wire. */
export interface WireAnswer {
  status: number;
  /** Lower-case names; for a repeated header, the last value. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** Returns the text of a request as sent over the wire. */
export function wireText({ method, target, headers, body }: WireRequest): string {
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const fields = Object.entries({ host: '127.0.0.1', ...headers, ...length });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const HEAD_END = '\r\n\r\n';
const TIMEOUT_MS = 120_000;

/**
 * Sends a request on a connection of its own and reads until the server closes it. Without a client
 * library, nothing is retried or made up.
 *
 * @throws unless exactly one response with as many bytes as it states was received
 */
export async function askOnWire(origin: string, request: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the server does not close')));
  socket.write(wireText({ ...request, headers: { ...request.headers, connection: 'close' } }));
  return readAnswer(await buffer(socket), request.target);
}

function readAnswer(bytes: Buffer, target: string): WireAnswer {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) throw new Error(`no answer for ${target}`);
  const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const body = bytes.subarray(end + HEAD_END.length);
  if (String(body.length) !== headers.get('content-length')) {
    const stated = headers.get('content-length');
    throw new Error(`${body.length} bytes where ${stated} are stated for ${target}`);
  }
  return { status: Number(first!.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), headers, body };
}
