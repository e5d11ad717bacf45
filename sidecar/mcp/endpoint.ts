import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { H3Event } from 'h3';
import type { ServerRequest } from 'srvx';
import type { HeaderPairs } from '../../src/http.ts';
import { developersPath, JSON_TYPE } from '../../src/paths.ts';
import { errorPage } from '../http/errors.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { respond } from '../http/responses.ts';
import { METHODS, PREFLIGHT_HEADERS, type Access } from './access.ts';
import { clientOf, isSessionVersion, PLAIN_CLIENT, type Sessions } from './session.ts';
import { encodeError, encodeResult } from './encode.ts';
import {
  checkMediaTypes,
  idOf,
  INTERNAL_ERROR,
  McpError,
  parseMessage,
  readJson,
  REFUSED,
  SESSION_NOT_FOUND,
} from './message.ts';
import { createDispatch, type McpService } from './service.ts';
import {
  checkStateless,
  discovery,
  DISCOVER,
  isStateless,
  resultMeta,
  statelessClient,
  statelessError,
  unsupportedVersion,
} from './stateless.ts';

interface EndpointOptions {
  service: McpService;
  sessions: Sessions;
  access: Access;
  /** A request without a session counts for its client address. */
  rates: Record<'session' | 'address', RateLimit>;
  /** Returns the address that people give to clients. */
  connectUrl: () => string;
  /** Receives unexpected errors, which are not shown to the client. */
  report: (method: string, error: unknown) => void;
}

export type Endpoint = (event: H3Event) => Promise<Response>;

/**
 * Serves MCP over streamable HTTP (contract, section 4.8): POST responds with JSON, DELETE ends a
 * session, and there is nothing to GET. Every error has a JSON-RPC body.
 */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { service, sessions, access, rates, connectUrl, report } = options;
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
      if (req.method === 'OPTIONS') return respond(204, [...shared, ...PREFLIGHT_HEADERS], null);
      if (req.method !== 'POST' && req.method !== 'DELETE') {
        if (isBrowser(req)) return connectPage(connectUrl());
        throw methodNotAllowed();
      }
      checkRates(req);
      return req.method === 'POST' ? await post(req, shared) : remove(req.headers, shared);
    } catch (error) {
      return errorOf(error, null, shared);
    }
  };

  /** @throws {McpError} 429 */
  function checkRates({ headers, ip = '' }: ServerRequest): void {
    const session = headers.get('mcp-session-id');
    const isKnown = session !== null && sessions.isLive(session);
    const wait =
      rates.address.take(ip) || (isKnown ? rates.session.takeAs(session) : rates.session.take(ip));
    if (wait > 0) throw tooManyRequests(wait);
  }

  async function post(req: ServerRequest, shared: HeaderPairs): Promise<Response> {
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
        : await answerInSession(request, headers, shared);
    } catch (error) {
      return errorOf(error, idOf(body), shared);
    }
  }

  async function answerInSession(
    request: JSONRPCRequest,
    headers: Headers,
    shared: HeaderPairs,
  ): Promise<Response> {
    const session = headers.get('mcp-session-id');
    const client = session === null ? PLAIN_CLIENT : sessions.clientOf(session);
    const result = await dispatch(request, client);
    const reply = encodeResult(request.id, result);
    if (request.method !== 'initialize') return json(200, reply, shared);
    const { protocolVersion } = result as { protocolVersion: string };
    const id = sessions.issue(protocolVersion, clientOf(request.params?.capabilities));
    return json(200, reply, [...shared, ['mcp-session-id', id]]);
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
        : await dispatch(request, statelessClient(request)).catch((error) => {
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

/** Tells whether a person opened the address: clients ask for an event stream. */
function isBrowser({ method, headers }: Request): boolean {
  return method === 'GET' && /\btext\/html\b/i.test(headers.get('accept') ?? '');
}

/** Tells a person how to connect. The status is that of any GET (MCP 2025-11-25, basic/transports). */
function connectPage(url: string): Response {
  const text =
    'AI assistants read the reviews on this site here, over the Model Context Protocol. ' +
    `Add <code>${url}</code> to yours as a connector or MCP server, and leave token fields blank. ` +
    `<a href="${developersPath('MCP')}">How to connect</a>`;
  return errorPage(405, text, { allow: METHODS }, 'Connect an AI assistant');
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
