import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Opens a port.
 *
 * @param setting names the setting of the port
 * @returns its address, e.g. `http://127.0.0.1:4321/`
 * @throws if it cannot be opened; the message names the settings
 */
export async function listenOn(
  server: Server,
  { host, port, setting }: { host: string; port: number; setting: 'PORT' | 'METRICS_PORT' },
): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new Error(`HOST ${host}, ${setting} ${port}: ${error.message}`, { cause: error });
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/`;
}
