import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { H3 } from 'h3';
import { NodeRequest } from 'srvx/node';
import { listenOn } from './base/listen-on.ts';
import type { Logger } from './base/log.ts';
import type { Manifest } from '../src/edition/manifest.ts';
import type { HeaderPairs } from '../src/http.ts';
import type { Edition } from './edition/edition.ts';
import { Lru } from '../src/base/kept.ts';
import { HEALTH_PATH, READINESS_PATH } from '../src/paths.ts';
import { errorOf, ERRORS, type ErrorBody } from '../src/schema/error.ts';
import { REQUEST_ID, type AccessLog, type RequestContext } from './http/access-log.ts';
import { ClientConnections } from './http/connections.ts';
import { errorResponse, send, type Answer } from './http/responses.ts';

export type RunningServer = Awaited<ReturnType<typeof listen>>;

export interface ListenOptions {
  app: H3;
  port: number;
  host: string;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy: boolean | 'loopback' | string[];
  /** Seconds for a request to arrive, or a response to make progress, before the connection is closed. */
  requestSeconds: number;
  /** Time for idle connections to send one more request once the server closes. */
  farewellMs: number;
  logger: Logger;
  accessLog: AccessLog;
  /** Returns the edition that is served. */
  edition: () => Pick<Edition, 'basePath' | 'contentUsage'> & {
    manifest: Pick<Manifest, 'base_url'>;
  };
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
  const { port, host, requestSeconds, farewellMs } = options;
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
  warnOfProxy(server, options);
  return {
    /** Address it listens on, e.g. `http://127.0.0.1:4321/`. */
    url: await listenOn(server, { host, port, setting: 'PORT' }),
    /** Stops accepting requests, lets pending ones finish, then resolves. */
    close: () => connections.close(farewellMs),
  };
}

/**
 * Warns once of what a request by a proxy shows: the proxy is not trusted, so that all clients look like one and
 * share its limits, or it asks for another host than that of the links, so that the edition is of another site.
 */
function warnOfProxy(server: Server, { trustProxy, edition, logger }: ListenOptions): void {
  const look = ({ headers: { host, 'x-forwarded-for': client } }: IncomingMessage): void => {
    if (client === undefined) return;
    const { hostname, origin: links } = new URL(edition().manifest.base_url);
    if (trustProxy !== false && URL.parse(`http://${host}`)?.hostname === hostname) return;
    server.off('request', look);
    if (trustProxy === false) {
      const message =
        'X-Forwarded-For arrives while TRUST_PROXY is off: set it if a proxy of yours sends it';
      logger.log('warn', message);
      return;
    }
    const message =
      'a proxy asks for another host than the links of the edition lead to: build it with that ' +
      'SITE_URL, or let the proxy pass Host on';
    logger.log('warn', message, { host, links });
  };
  server.on('request', look);
}

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  context: RequestContext;
}

/**
 * Responds to every request of a server: the app to well-formed ones, this module to the rest.
 *
 * @returns the connections of the server
 */
function serveExchanges(
  server: Server,
  { app, trustProxy, logger, accessLog, edition }: ListenOptions,
): ClientConnections {
  /** The last exchange of each connection. */
  const last = new WeakMap<object, Exchange>();

  const respond = ({ req, res, context }: Exchange): Answer => {
    const malformed = malformedRequest(req) ?? withoutBase(req, edition().basePath);
    if (malformed) return errorResponse(ERRORS[malformed.error][0], malformed);
    // srvx would parse it into the address, and nothing here needs it.
    delete req.headers['x-forwarded-host'];
    const request = new NodeRequest({ req, res, trustProxy });
    Object.assign(request, { context });
    return app.fetch(request);
  };

  const exchange = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const begun = { req, res, context: accessLog.begin(req, res) };
    last.set(req.socket, begun);
    const { requestId: id } = begun.context;
    let answer: Response;
    try {
      answer = await respond(begun);
    } catch (error) {
      logger.log('error', 'request failed', { id, error });
      answer = errorResponse(500, errorOf('internal'));
    }
    const usage = edition().contentUsage;
    const more: HeaderPairs = usage === undefined ? [] : [['content-usage', usage]];
    send(res, answer, [...more, [REQUEST_ID, id]]).catch((error: unknown) => {
      logger.log('error', 'response not sent', { id, error });
      res.destroy();
    });
  };

  /** Responds to malformed bytes, unless that would be sent inside another response. */
  const refuse = (socket: Socket, status: number, reason: string): void => {
    if (!socket.writable || reason === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const exchange = last.get(socket);
    // The response is not sent, or the request is still arriving.
    const open =
      exchange && !(exchange.res.destroyed && exchange.req.complete) ? exchange : undefined;
    if (!open?.res.headersSent) {
      if (open) open.context.refused = { status, reason };
      const { requestId } = open?.context ?? accessLog.refuse({ status, reason });
      socket.write(bareResponse(status, requestId));
    }
    socket.destroySoon();
  };

  const connections = new ClientConnections(server);
  // Without a listener Node would refuse expectations that it does not know.
  for (const event of ['request', 'checkExpectation'] as const) {
    server.on(event, (req, res) => connections.take(req, res, exchange));
  }
  server.on('connect', (_req, socket) => refuse(socket as Socket, 405, 'CONNECT'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { code = 'unknown' } = error;
    refuse(socket as Socket, STATUS_BY_ERROR[code] ?? 400, code);
  });
  return connections;
}

/** Statuses that Node itself uses for its errors. */
const STATUS_BY_ERROR: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

function bareResponse(status: number, id: string): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, `${REQUEST_ID}: ${id}`];
  return [...lines, 'content-length: 0', 'connection: close', '', ''].join('\r\n');
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

const BAD_HOST: ErrorBody = {
  error: 'bad_request',
  message: 'The request needs exactly one Host header with a valid host name.',
};
const BAD_TARGET: ErrorBody = {
  error: 'bad_request',
  message: 'The request target is not a valid address.',
};

/**
 * Returns the error of a request whose address must not be parsed; undefined if it is well-formed.
 * URL parsers disagree about odd hosts and throw at some (RFC 9112, section 3.2).
 */
function malformedRequest({
  httpVersion,
  rawHeaders,
  url = '',
}: IncomingMessage): ErrorBody | undefined {
  if (!httpVersion.startsWith('1.')) return errorOf('http_version_not_supported');
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return BAD_HOST;
    host = rawHeaders[at + 1]!;
  }
  if (host === undefined ? httpVersion !== '1.0' : !isHost(host)) return BAD_HOST;
  if (url.startsWith('/') || url === '*') return undefined;
  const authority = ABSOLUTE_FORM.exec(url)?.[1];
  return authority !== undefined && isHost(authority) && URL.canParse(url) ? undefined : BAD_TARGET;
}

/** Paths of a site below a path that answer at the root too: probes know no site. */
const PROBES: ReadonlySet<string> = new Set([HEALTH_PATH, READINESS_PATH]);

/**
 * Takes the path of the site off the target of a request, and slashes that a client left between its own
 * address of the site and a path.
 *
 * @param base `/reviews`; empty for a site at the root
 * @returns the error of a request for another site
 */
function withoutBase(request: IncomingMessage, base: string): ErrorBody | undefined {
  const { url = '' } = request;
  if (url === '*' || PROBES.has(url)) return undefined;
  if (base === '' && url.startsWith('/') && !url.includes('//')) return undefined;
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  const [before, ...query] = (start === -1 ? '/' : url.slice(start)).split('?');
  const path = [before!.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  const rest = path.slice(base.length);
  if (!path.startsWith(base) || !/^($|[/?])/.test(rest)) return errorOf('not_found');
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
}

/** A service has few names. */
const HOSTS = new Lru<boolean>(100);

function isHost(text: string): boolean {
  return HOSTS.get(text, () => HOST.test(text) && URL.canParse(`http://${text}/`));
}
