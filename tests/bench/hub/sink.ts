import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { startListening } from '../../support/listeners.ts';
import type { KeyPair } from '../../support/test-ca.ts';

// Subscribers in a process of their own: they read each delivery and respond 204. Given a key and
// addresses to listen on, the process reports its ports; it ends with its parent.

export interface SinkOrder {
  pair: KeyPair;
  addresses: readonly string[];
  /** Milliseconds until a response; default: none. */
  responseMs?: number;
}

/** One per address. */
export type SinkPorts = number[];

process.once('message', async ({ pair, addresses, responseMs }: SinkOrder) => {
  const acknowledge: RequestListener = (request, response) => {
    const respond = () => response.writeHead(204).end();
    request.resume();
    request.once('end', () => (responseMs ? setTimeout(respond, responseMs) : respond()));
  };
  const ports: SinkPorts = [];
  for (const address of addresses) {
    ports.push((await startListening(createServer(pair, acknowledge), address)).port);
  }
  process.send!(ports);
});
process.once('disconnect', () => process.exit());
