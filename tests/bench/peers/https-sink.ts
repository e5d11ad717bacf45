import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

// Callbacks that accept everything: one origin for each of ADDRESSES. A plain HTTP request to PORT
// returns their URLs.
const { ADDRESSES = '', CERT, KEY, PORT } = process.env;
const urls = await Promise.all(
  ADDRESSES.split(',').map(async (address) => {
    const server = createSecureServer({ cert: CERT, key: KEY }, (request, response) => {
      request.resume().once('end', () => response.writeHead(204).end());
    });
    await once(server.listen(0, address), 'listening');
    return `https://${address}:${(server.address() as AddressInfo).port}/callback?id=1`;
  }),
);
createServer((_, response) => response.end(JSON.stringify(urls))).listen(Number(PORT), '127.0.0.1');
