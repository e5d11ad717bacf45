import type { IncomingMessage, Server as NodeServer } from 'node:http';
import { serve, type H3 } from 'h3';
import type { Logger } from './log.ts';

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:4321/`. */
  url: string;
  /** Stops taking requests, lets those under way finish, then resolves. */
  close(): Promise<void>;
}

/** After this long, what is still under way is cut. */
const DRAIN_MS = 9_000;

/** Puts an app on a socket. */
export async function listen(
  app: H3,
  options: { port: number; host: string; trustProxy: boolean | 'loopback' | string[] },
  logger: Logger,
): Promise<RunningServer> {
  const server = serve(app, {
    port: options.port,
    hostname: options.host,
    trustProxy: options.trustProxy,
    gracefulShutdown: false,
    silent: true,
  });
  await server.ready();
  const node = server.node!.server as NodeServer;
  if (options.trustProxy === false) warnOfProxy(node, logger);
  return { url: server.url!, close: () => drain(node) };
}

/** Behind a proxy that is not trusted all clients look like one, and share its limits. */
function warnOfProxy(server: NodeServer, logger: Logger): void {
  const look = ({ headers }: IncomingMessage): void => {
    if (headers['x-forwarded-for'] === undefined) return;
    server.off('request', look);
    logger.log(
      'warn',
      'X-Forwarded-For arrives while TRUST_PROXY is off: set it if a proxy of yours sends it',
    );
  };
  server.on('request', look);
}

async function drain(server: NodeServer): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false; // the answer tells the client to come back elsewhere
  });
  await new Promise<void>((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
