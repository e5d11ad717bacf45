import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '../../support/test-ca.ts';

// Subscribers in a process of their own: they read each delivery and respond 204. Given a key and
// addresses to listen on, the process reports its ports; it ends with its parent.

export interface SinkOrder {
  pair: KeyPair;
  addresses: readonly string[];
}

/** One per address. */
export type SinkPorts = number[];

const acknowledge: RequestListener = (request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(204).end());
};

process.once('message', async ({ pair, addresses }: SinkOrder) => {
  const ports: SinkPorts = [];
  for (const address of addresses) {
    const server = createServer(pair, acknowledge).listen(0, address);
    await once(server, 'listening');
    ports.push((server.address() as AddressInfo).port);
  }
  process.send!(ports);
});
process.once('disconnect', () => process.exit());
