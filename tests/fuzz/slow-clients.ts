import { connect, type Socket } from 'node:net';
import { setInterval } from 'node:timers/promises';
import { HUB_PATH, MCP_PATH, REVIEWS_PATH } from '../../src/paths.ts';

const DRIP_MS = 100;

const HOST = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const JSON_POST =
  'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
const LONG = 'Content-Length: 9000\r\n\r\n';
const FORM_POST = 'Content-Type: application/x-www-form-urlencoded\r\n';

/** The first text of each client; after that it sends a byte now and then. */
const DRIPPING: Record<string, [first: string, drip: string]> = {
  'says nothing': ['', ''],
  'sends its head slowly': [`GET /search/ ${HOST}`, 'x'],
  'sends a body slowly to /mcp': [`POST ${MCP_PATH} ${HOST}${JSON_POST}${LONG}`, ' '],
  'sends a body slowly to the hub': [
    `POST ${HUB_PATH} ${HOST}${FORM_POST}Transfer-Encoding: chunked\r\n\r\n`,
    '1\r\na\r\n',
  ],
  'sends a body slowly where none belongs': [`POST ${REVIEWS_PATH} ${HOST}${LONG}`, ' '],
};

/**
 * Runs clients that send slowly.
 *
 * @param limitMs time after which each must have been disconnected
 * @returns descriptions of those that were not
 */
export async function slowClients(port: number, limitMs: number): Promise<string[]> {
  const found = Object.entries(DRIPPING).map(async ([name, [first, drip]]) =>
    (await isCut(open(port, first), drip, limitMs)) ? [] : [name],
  );
  return (await Promise.all(found)).flat();
}

function open(port: number, first: string): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => {}); // being disconnected is its purpose
  if (first !== '') socket.write(first);
  return socket;
}

async function isCut(socket: Socket, drip: string, limitMs: number): Promise<boolean> {
  socket.resume();
  const deadline = performance.now() + limitMs;
  for await (const _ of setInterval(DRIP_MS)) {
    if (socket.closed || performance.now() > deadline) break;
    if (drip !== '') socket.write(drip);
  }
  const cut = socket.closed;
  socket.destroy();
  return cut;
}
