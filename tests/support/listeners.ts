import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';
import type { KeyPair } from './test-ca.ts';

/**
 * Listens on a free port until the test ends, passes each connection to `peer`, and counts those
 * opened so far and open now.
 *
 * @param pair key and certificate for TLS; without it, connections are plain
 * @param address default: all addresses of this machine
 */
export async function listen(
  context: TestContext,
  peer: (socket: Socket) => void,
  { pair, address }: { pair?: KeyPair; address?: string } = {},
) {
  const talk = (socket: Socket): void => {
    socket.on('error', () => {}); // the client may go away
    socket.resume(); // otherwise an end goes unnoticed
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
