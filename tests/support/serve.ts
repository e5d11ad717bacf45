import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves on a free port of loopback until the test ends. @returns the origin */
export async function serve(
  context: { after: (stop: () => void) => void },
  server: RequestListener | Server,
): Promise<string> {
  const own = typeof server === 'function' ? createServer(server) : server;
  await once(own.listen(0, '127.0.0.1'), 'listening');
  context.after(() => void own.close().closeAllConnections());
  return `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
}
