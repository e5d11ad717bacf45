import type { IncomingMessage, Server as NodeServer } from 'node:http';
import { serve, type H3 } from 'h3';
import type { ServerMiddleware } from 'srvx';
import type { ErrorBody } from '../src/schema/error.ts';
import { errorResponse } from './http/responses.ts';
import type { Logger } from './base/log.ts';

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:4321/`. */
  url: string;
  /** Stops taking requests, lets those under way finish, then resolves. */
  close(): Promise<void>;
}

export interface ListenOptions {
  port: number;
  host: string;
  trustProxy: boolean | 'loopback' | string[];
  /** How long a request may take to arrive, and its answer may stand still. */
  requestSeconds: number;
}

/** How often it is looked for clients that take too long. */
const LOOK_MS = 1_000;

/** After this long, what is still under way is cut. */
const DRAIN_MS = 9_000;

/** Puts an app on a socket. */
export async function listen(
  app: H3,
  options: ListenOptions,
  logger: Logger,
): Promise<RunningServer> {
  const requestMs = options.requestSeconds * 1000;
  const server = serve(app, {
    port: options.port,
    hostname: options.host,
    trustProxy: options.trustProxy,
    gracefulShutdown: false,
    silent: true,
    middleware: [refuseBadHost],
    node: {
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: LOOK_MS,
    },
  });
  await server.ready();
  const node = server.node!.server as NodeServer;
  node.setTimeout(requestMs);
  if (options.trustProxy === false) warnOfProxy(node, logger);
  return { url: server.url!, close: () => drain(node) };
}

/** srvx lets pass, and h3 throws at, what looks like a host and is none (RFC 9112, section 3.2). */
const refuseBadHost: ServerMiddleware = (request, next) =>
  URL.canParse(request.url) ? next() : errorResponse(400, BAD_HOST);

const BAD_HOST: ErrorBody = { error: 'bad_request', message: 'Host names no host.' };

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
