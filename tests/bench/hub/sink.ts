import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '../../support/test-ca.ts';

// Subscribers in a process of their own: they read what they are sent and say 204. Told a key and
// the addresses to listen on, it says which ports it took; it ends with its parent.

export interface SinkOrder {
  pair: KeyPair;
  addresses: readonly string[];
}

export interface SinkPorts {
  /** One for each address. */
  secure: number[];
  plain: number;
}

const acknowledge: RequestListener = (request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(204).end());
};

process.once('message', async ({ pair, addresses }: SinkOrder) => {
  const secure: number[] = [];
  for (const address of addresses) {
    const server = createSecureServer(pair, acknowledge).listen(0, address);
    await once(server, 'listening');
    secure.push((server.address() as AddressInfo).port);
  }
  const plain = createServer(acknowledge).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const ports: SinkPorts = { secure, plain: (plain.address() as AddressInfo).port };
  process.send!(ports);
});
process.once('disconnect', () => process.exit());
