import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { H3Event } from 'h3';
import type { HeaderPairs } from '../../src/http.ts';
import { JSON_TYPE } from '../../src/paths.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { respond } from '../http/responses.ts';
import { METHODS, PREFLIGHT, type Access } from './access.ts';
import { encodeError, encodeResult } from './encode.ts';
import { INTERNAL_ERROR, McpError, REFUSED, SESSION_NOT_FOUND } from './error.ts';
import { checkMediaTypes, idOf, parseMessage, readJson } from './message.ts';
import { createDispatch, type McpService } from './service.ts';
import { isSessionVersion, type Sessions } from './session.ts';
import {
  checkStateless,
  discovery,
  DISCOVER,
  isStateless,
  resultMeta,
  statelessError,
  unsupportedVersion,
} from './stateless.ts';

export interface EndpointOptions {
  service: McpService;
  sessions: Sessions;
  access: Access;
  rate: RateLimit;
  /** Receives unexpected errors, which are not shown to the client. */
  report: (method: string, error: unknown) => void;
}

export type Endpoint = (event: H3Event) => Promise<Response>;

/**
 * Serves MCP over streamable HTTP (contract, section 4.8): POST responds with JSON, DELETE ends a
 * session, and there is no stream to GET because nothing is sent unasked. Every error has a
 * JSON-RPC body.
 */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { service, sessions, access, rate, report } = options;
  const dispatch = createDispatch(service, report);

  return async (event) => {
    const { req } = event;
    const origin = req.headers.get('origin');
    const shared = access.headersFor(origin);
    try {
      if (!access.allowsHost(req.headers.get('host') ?? event.url.host)) {
        throw refused(403, 'This host name is not served here');
      }
      if (origin !== null && !access.allowsOrigin(origin)) {
        throw refused(403, 'This origin is not allowed');
      }
      if (req.method === 'OPTIONS') return respond(204, [...shared, ...PREFLIGHT], null);
      if (req.method !== 'POST' && req.method !== 'DELETE') throw methodNotAllowed();
      const wait = rate.take(req.ip ?? '');
      if (wait > 0) throw tooManyRequests(wait);
      return req.method === 'POST' ? await post(req, shared) : remove(req.headers, shared);
    } catch (error) {
      return errorOf(error, null, shared);
    }
  };

  async function post(req: Request, shared: HeaderPairs): Promise<Response> {
    const { headers } = req;
    checkMediaTypes(headers);
    const body = await readJson(req);
    try {
      const stateless = isStateless(headers, body);
      const request = parseMessage(body);
      if (!stateless && request?.method !== 'initialize') checkSession(headers);
      if (!request) return respond(202, [...shared, ['content-length', '0']], null);
      return stateless
        ? await answerStateless(request, headers, shared)
        : await answerInSession(request, shared);
    } catch (error) {
      return errorOf(error, idOf(body), shared);
    }
  }

  async function answerInSession(request: JSONRPCRequest, shared: HeaderPairs): Promise<Response> {
    const result = await dispatch(request);
    const reply = encodeResult(request.id, result);
    if (request.method !== 'initialize') return json(200, reply, shared);
    const { protocolVersion } = result as { protocolVersion: string };
    return json(200, reply, [...shared, ['mcp-session-id', sessions.issue(protocolVersion)]]);
  }

  async function answerStateless(
    request: JSONRPCRequest,
    headers: Headers,
    shared: HeaderPairs,
  ): Promise<Response> {
    checkStateless(headers, request);
    const { id, method } = request;
    const result =
      method === DISCOVER
        ? discovery(service)
        : await dispatch(request).catch((error) => {
            throw statelessError(error);
          });
    return json(200, encodeResult(id, result, resultMeta(method, service)), shared);
  }

  /** Checks the session a request names. One that names none is answered: no state is needed. */
  function checkSession(headers: Headers): void {
    const id = headers.get('mcp-session-id');
    if (id !== null && !sessions.isLive(id)) throw sessionNotFound();
    const version = headers.get('mcp-protocol-version');
    if (version !== null && !isSessionVersion(version)) throw unsupportedVersion(version);
  }

  function remove(headers: Headers, shared: HeaderPairs): Response {
    const id = headers.get('mcp-session-id');
    if (id === null) throw refused(400, 'Mcp-Session-Id must name the session to end');
    if (!sessions.isLive(id)) throw sessionNotFound();
    sessions.end(id);
    return respond(204, shared, null);
  }

  function errorOf(error: unknown, id: RequestId | null, shared: HeaderPairs): Response {
    if (error instanceof McpError) {
      const headers = [...shared, ...Object.entries(error.headers)];
      return json(error.status, encodeError(id, error), headers);
    }
    report('', error);
    return json(500, encodeError(id, new McpError(INTERNAL_ERROR, 'Internal error')), shared);
  }
}

function json(status: number, body: Buffer, headers: HeaderPairs): Response {
  const own: HeaderPairs = [
    ['content-type', JSON_TYPE],
    ['content-length', String(body.length)],
  ];
  return respond(status, [...own, ...headers], body);
}

function refused(status: number, message: string, headers: Record<string, string> = {}): McpError {
  return new McpError(REFUSED, message, { status, headers });
}

function methodNotAllowed(): McpError {
  return refused(405, 'Send a POST; this endpoint has no stream to GET', { allow: METHODS });
}

function tooManyRequests(seconds: number): McpError {
  const headers = { 'retry-after': String(seconds) };
  return refused(429, 'Too many requests from this address; see Retry-After', headers);
}

function sessionNotFound(): McpError {
  return new McpError(SESSION_NOT_FOUND, 'Session not found: call initialize again', {
    status: 404,
  });
}
