import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';
import type { KeyPair } from './test-ca.ts';

/** Lets a server listen, on a free port unless one is given, and counts its connections. */
export async function startListening(server: Server, address?: string, port = 0) {
  const sockets = new Set<Socket>();
  let opened = 0;
  server.on('connection', (socket: Socket) => {
    opened++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(port, address), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Connections so far, and those of now. */
    opened: () => opened,
    open: () => sockets.size,
    /** Also ends connections under way. */
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Listens on a free port until the test ends, and passes each connection to `peer`.
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
  const listening = await startListening(
    pair ? createSecureServer(pair, talk) : createServer(talk),
    address,
  );
  context.after(listening.close);
  return listening;
}
