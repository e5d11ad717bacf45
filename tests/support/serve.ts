import { createServer, type RequestListener, type Server } from 'node:http';
import { startListening } from './listeners.ts';

/** Serves on a free port of loopback until the test ends. @returns the origin */
export async function serve(
  context: { after: (stop: () => Promise<void>) => void },
  server: RequestListener | Server,
): Promise<string> {
  const own = typeof server === 'function' ? createServer(server) : server;
  const { port, close } = await startListening(own, '127.0.0.1');
  context.after(close);
  return `http://127.0.0.1:${port}`;
}
