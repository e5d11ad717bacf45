import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenOn } from './base/listen-on.ts';
import type { Logger } from './base/log.ts';
import { serveExchanges, type ExchangeOptions } from './http/exchanges.ts';

export type RunningServer = Awaited<ReturnType<typeof listen>>;

export interface ListenOptions extends ExchangeOptions {
  port: number;
  host: string;
  /**
   * Seconds for a request to arrive, or a response to make progress, before the connection is
   * closed.
   */
  requestSeconds: number;
  /** Returns the address that the links of the edition lead to. */
  siteUrl?: () => string;
  /** Time for idle connections to send one more request once the server closes. */
  farewellMs: number;
}

/** Interval between checks for slow clients. */
const CHECK_MS = 1_000;

/**
 * Longer than reverse proxies keep idle connections, so that none reuses a closed one: nginx and AWS
 * do for a minute, Caddy for two, Google for ten, Cloudflare for fifteen.
 */
const KEEP_ALIVE_MS = 16 * 60_000;

/** Starts a server for an app. */
export async function listen(options: ListenOptions) {
  const { port, host, trustProxy, requestSeconds, logger, farewellMs } = options;
  const requestMs = requestSeconds * 1000;
  const server = createServer({
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false, // Node would reject it before anything counts it
  });
  // Later than the check for slow requests, which sends a 408 before it closes the connection.
  server.setTimeout(requestMs + 2 * CHECK_MS);
  const connections = serveExchanges(server, options);
  if (trustProxy === false) warnOfProxy(server, logger);
  else if (options.siteUrl) warnOfHost(server, options.siteUrl, logger);
  const address = await listenOn(server, { host, port, setting: 'PORT' });
  return {
    /** Address it listens on, e.g. `http://127.0.0.1:4321/`. */
    url: urlOf(address),
    /** Stops accepting requests, lets pending ones finish, then resolves. */
    close: () => connections.close(farewellMs),
  };
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
}

/** Warns once if a proxy is not trusted: all clients then look like one and share its limits. */
function warnOfProxy(server: Server, logger: Logger): void {
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

/** Warns once if readers come by another host name than that of the links: the edition is of another site. */
function warnOfHost(server: Server, siteUrl: () => string, logger: Logger): void {
  const look = ({ headers: { host, 'x-forwarded-for': client } }: IncomingMessage): void => {
    if (client === undefined) return;
    const expected = new URL(siteUrl());
    if (URL.parse(`http://${host}`)?.hostname === expected.hostname) return;
    server.off('request', look);
    logger.log(
      'warn',
      'a proxy asks for another host than the links of the edition lead to: build it with that ' +
        'SITE_URL, or let the proxy pass Host on',
      { host, links: expected.origin },
    );
  };
  server.on('request', look);
}
