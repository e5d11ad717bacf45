import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';
import type { KeyPair } from './test-ca.ts';

export interface Listener {
  port: number;
  /** Connections that were opened so far. */
  opened(): number;
  /** Of them, those that are open now. */
  open(): number;
}

/**
 * Something that listens on a free port for as long as the test runs, says what it likes to whom
 * connects, and counts.
 *
 * @param pair for TLS; without it the peer is told of plain connections
 * @param address all of this machine when left out
 */
export async function listen(
  context: TestContext,
  peer: (socket: Socket) => void,
  { pair, address }: { pair?: KeyPair; address?: string } = {},
): Promise<Listener> {
  const talk = (socket: Socket): void => {
    socket.on('error', () => {}); // whoever connected may go away
    socket.resume(); // or it would not be noticed
    peer(socket);
  };
  const server: Server = pair ? createSecureServer(pair, talk) : createServer(talk);
  const sockets = new Set<Socket>();
  let opened = 0;
  server.on('connection', (socket: Socket) => {
    opened++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(address === undefined ? server.listen(0) : server.listen(0, address), 'listening');
  context.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    opened: () => opened,
    open: () => sockets.size,
  };
}
