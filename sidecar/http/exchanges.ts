import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { H3 } from 'h3';
import { NodeRequest } from 'srvx/node';
import type { HeaderPairs } from '../../src/http.ts';
import { errorOf, ERRORS } from '../../src/schema/error.ts';
import type { Logger } from '../base/log.ts';
import { REQUEST_ID, type AccessLog, type RequestContext } from './access-log.ts';
import { ClientConnections } from './connections.ts';
import { malformedRequest, withoutBase } from './incoming.ts';
import { errorResponse, send, type Answer } from './responses.ts';

type Respond = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => Answer;

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  context: RequestContext;
}

export interface ExchangeOptions {
  app: H3;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy: boolean | 'loopback' | string[];
  logger: Logger;
  accessLog: AccessLog;
  /** Returns the path of the site, which every path but the probes begins with; empty at the root. */
  basePath?: () => string;
  /** Returns Content-Usage of every response, if there is one. */
  contentUsage?: () => string | undefined;
}

/**
 * Responds to every request of a server: the app to well-formed ones, this module to the rest.
 *
 * @returns the connections of the server
 */
export function serveExchanges(server: Server, options: ExchangeOptions): ClientConnections {
  const { app, trustProxy, logger, accessLog } = options;
  /** The last exchange of each connection. */
  const last = new WeakMap<object, Exchange>();

  const byApp: Respond = (req, res, context) => {
    const malformed = malformedRequest(req) ?? withoutBase(req, options.basePath?.() ?? '');
    if (malformed) return errorResponse(ERRORS[malformed.error][0], malformed);
    // srvx would parse it into the address, and nothing here needs it.
    delete req.headers['x-forwarded-host'];
    const request = new NodeRequest({ req, res, trustProxy });
    Object.assign(request, { context });
    return app.fetch(request);
  };

  const answerBy = (respond: Respond) => async (req: IncomingMessage, res: ServerResponse) => {
    const context = accessLog.begin(req, res);
    last.set(req.socket, { req, res, context });
    const { requestId: id } = context;
    let answer: Response;
    try {
      answer = await respond(req, res, context);
    } catch (error) {
      logger.log('error', 'request failed', { id, error });
      answer = errorResponse(500, errorOf('internal'));
    }
    const usage = options.contentUsage?.();
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
  const answer = answerBy(byApp);
  server.on('request', (req, res) => connections.take(req, res, answer));
  // Without a listener Node responds to these by itself, uncounted.
  const decline = answerBy(() => errorResponse(417, errorOf('expectation_failed')));
  server.on('checkExpectation', (req, res) => connections.take(req, res, decline));
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
