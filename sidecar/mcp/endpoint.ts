import type { HeaderPairs } from '../../src/http.ts';
import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { H3Event } from 'h3';
import { JSON_TYPE } from '../../src/paths.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { respond } from '../http/responses.ts';
import type { Access } from './access.ts';
import type { Dispatch } from './dispatcher.ts';
import { INTERNAL_ERROR, REFUSED, RequestFault, SESSION_NOT_FOUND } from './fault.ts';
import { METHODS, PREFLIGHT, sharedHeaders } from './headers.ts';
import { idOf, parseJson, parseMessage, readBody } from './message.ts';
import { encodeError, encodeResult } from './reply.ts';
import type { McpService } from './service.ts';
import type { Sessions } from './session.ts';
import {
  additions,
  checkStateless,
  discovery,
  DISCOVER,
  isStateless,
  statelessError,
  unsupportedVersion,
} from './stateless.ts';
import { isSessionVersion } from './versions.ts';

export interface EndpointOptions {
  service: McpService;
  dispatch: Dispatch;
  sessions: Sessions;
  access: Access;
  rate: RateLimit;
  /** Told of what nobody foresaw; the client is not. */
  report: (method: string, error: unknown) => void;
}

export type Endpoint = (event: H3Event) => Promise<Response>;

/**
 * MCP over streamable HTTP (contract, section 4.8): POST answers with JSON, DELETE ends a session,
 * and as nothing is ever sent unasked there is no stream to GET. Every fault has a JSON-RPC body.
 */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { service, dispatch, sessions, access, rate, report } = options;

  return async (event) => {
    const { req } = event;
    const origin = req.headers.get('origin');
    const shared = sharedHeaders(access, origin);
    try {
      if (!access.allowsHost(req.headers.get('host') ?? event.url.host)) {
        throw new RequestFault(403, REFUSED, 'This host name is not served here');
      }
      if (origin !== null && !access.allowsOrigin(origin)) {
        throw new RequestFault(403, REFUSED, 'This origin is not allowed');
      }
      if (req.method === 'OPTIONS') return respond(204, [...shared, ...PREFLIGHT], null);
      if (req.method !== 'POST' && req.method !== 'DELETE') throw methodNotAllowed();
      const wait = rate.take(req.ip ?? '');
      if (wait > 0) throw tooManyRequests(wait);
      return req.method === 'POST' ? await post(req, shared) : remove(req.headers, shared);
    } catch (error) {
      return refuse(error, null, shared);
    }
  };

  async function post(req: Request, shared: HeaderPairs): Promise<Response> {
    const { headers } = req;
    checkMediaTypes(headers);
    const body = parseJson(await readBody(req));
    try {
      const stateless = isStateless(headers, body);
      const request = parseMessage(body);
      if (!stateless && request?.method !== 'initialize') checkSession(headers);
      if (!request) return respond(202, [...shared, ['content-length', '0']], null);
      return stateless
        ? await answerStateless(request, headers, shared)
        : await answerInSession(request, shared);
    } catch (error) {
      return refuse(error, idOf(body), shared);
    }
  }

  async function answerInSession(request: JSONRPCRequest, shared: HeaderPairs): Promise<Response> {
    const { id, method } = request;
    const outcome = await dispatch(request);
    if ('error' in outcome) {
      const { code, message, data } = outcome.error;
      return json(200, encodeError(id, code, message, data), shared);
    }
    const reply = encodeResult(id, outcome.result);
    if (method !== 'initialize') return json(200, reply, shared);
    const { protocolVersion } = outcome.result as { protocolVersion: string };
    return json(200, reply, [...shared, ['mcp-session-id', sessions.issue(protocolVersion)]]);
  }

  async function answerStateless(
    request: JSONRPCRequest,
    headers: Headers,
    shared: HeaderPairs,
  ): Promise<Response> {
    checkStateless(headers, request);
    const { id, method } = request;
    const outcome = method === DISCOVER ? { result: discovery(service) } : await dispatch(request);
    if ('result' in outcome) {
      return json(200, encodeResult(id, outcome.result, additions(method, service)), shared);
    }
    const { message, data } = outcome.error;
    const { status, code } = statelessError(outcome.error.code);
    return json(status, encodeError(id, code, message, data), shared);
  }

  /** Who sends no session id is served: there is nothing to remember of it. */
  function checkSession(headers: Headers): void {
    const id = headers.get('mcp-session-id');
    if (id !== null && !sessions.isLive(id)) throw sessionNotFound();
    const version = headers.get('mcp-protocol-version');
    if (version !== null && !isSessionVersion(version)) throw unsupportedVersion(version);
  }

  function remove(headers: Headers, shared: HeaderPairs): Response {
    const id = headers.get('mcp-session-id');
    if (id === null) {
      throw new RequestFault(400, REFUSED, 'Mcp-Session-Id names the session that is to end');
    }
    if (!sessions.isLive(id)) throw sessionNotFound();
    sessions.end(id);
    return respond(204, shared, null);
  }

  function refuse(error: unknown, id: RequestId | null, shared: HeaderPairs): Response {
    if (!(error instanceof RequestFault)) {
      report('', error);
      return json(500, encodeError(id, INTERNAL_ERROR, 'Internal error'), shared);
    }
    const { status, code, message, data, headers } = error;
    return json(status, encodeError(id, code, message, data), [
      ...shared,
      ...Object.entries(headers),
    ]);
  }
}

function json(status: number, body: Buffer, headers: HeaderPairs): Response {
  const own: HeaderPairs = [
    ['content-type', JSON_TYPE],
    ['content-length', String(body.length)],
  ];
  return respond(status, [...own, ...headers], body);
}

const EVENT_STREAM = 'text/event-stream';

/** A client must take both forms of answer, although only one is used (contract, section 4.8). */
function checkMediaTypes(headers: Headers): void {
  const accept = headers.get('accept') ?? '';
  if (!accepts(accept, JSON_TYPE) || !accepts(accept, EVENT_STREAM)) {
    throw new RequestFault(406, REFUSED, `Accept must list ${JSON_TYPE} and ${EVENT_STREAM}`);
  }
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== JSON_TYPE) {
    throw new RequestFault(415, REFUSED, `Content-Type must be ${JSON_TYPE}`);
  }
}

function accepts(header: string, type: string): boolean {
  const [group] = type.split('/', 1);
  return header.split(',').some((range) => {
    const name = range.split(';', 1)[0]!.trim().toLowerCase();
    return name === type || name === '*/*' || name === `${group}/*`;
  });
}

function methodNotAllowed(): RequestFault {
  const message = 'This endpoint is asked by POST; it sends nothing on its own';
  return new RequestFault(405, REFUSED, message, { headers: { allow: METHODS } });
}

function tooManyRequests(seconds: number): RequestFault {
  const message = 'Too many requests from this address; see Retry-After';
  return new RequestFault(429, REFUSED, message, { headers: { 'retry-after': String(seconds) } });
}

function sessionNotFound(): RequestFault {
  return new RequestFault(404, SESSION_NOT_FOUND, 'Session not found: call initialize again');
}
