import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '../../support/test-ca.ts';

// Subscribers in a process of their own: they read each delivery and respond 204. Given a key and
// addresses to listen on, the process reports its ports; it ends with its parent.

export interface SinkOrder {
  pair: KeyPair;
  addresses: readonly string[];
}

export interface SinkPorts {
  /** One per address. */
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
