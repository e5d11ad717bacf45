import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Opens a port.
 *
 * @param setting names the setting of the port
 * @throws if it cannot be opened; the message names the settings
 */
export async function listenOn(
  server: Server,
  { host, port, setting }: { host: string; port: number; setting: 'PORT' | 'METRICS_PORT' },
): Promise<AddressInfo> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new Error(`HOST ${host}, ${setting} ${port}: ${error.message}`, { cause: error });
  });
  return server.address() as AddressInfo;
}
