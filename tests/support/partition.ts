import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { listen } from './listeners.ts';

/**
 * Passes connections on to a port of this machine until a network is parted: from then on nothing that
 * either side sends or ends reaches the other, until it is healed.
 */
export async function partition(context: TestContext, port: number) {
  let isParted = false;
  const waiting: (() => void)[] = [];
  const pass = (deed: () => void): void => {
    if (isParted) waiting.push(deed);
    else deed();
  };
  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => pass(() => to.write(bytes)));
    from.on('error', () => {}); // closes it
    from.on('close', () => pass(() => to.destroy()));
  };
  const server = await listen(context, (socket) => {
    const other = connect(port, '127.0.0.1');
    forward(socket, other);
    forward(other, socket);
  });
  return {
    port: server.port,
    part: () => void (isParted = true),
    heal: () => {
      isParted = false;
      for (const deed of waiting.splice(0)) deed();
    },
  };
}
