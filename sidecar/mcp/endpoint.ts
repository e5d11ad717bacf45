import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { H3Event } from 'h3';
import type { ServerRequest } from 'srvx';
import type { HeaderPairs } from '../../src/http.ts';
import { developersPath, MCP_PATH } from '../../src/paths.ts';
import type { Logger } from '../base/log.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import type { Pieces } from '../../src/search/pieces.ts';
import { clientNetwork, RateLimit } from '../base/rate-limit.ts';
import type { Edition } from '../edition/edition.ts';
import { errorPage, respond, respondSized, preflightHeaders } from '../http/responses.ts';
import { inPieces, RefusedWork, type Compute } from '../http/turns.ts';
import { Access, isSessionVersion, Sessions, type AccessSettings } from './access.ts';
import {
  checkContentType,
  encodeError,
  encodeResult,
  isStateless,
  mcpHeader,
  INTERNAL_ERROR,
  McpError,
  METHOD_NOT_FOUND,
  parseMessage,
  readJson,
  refused,
  respondMessage,
  SESSION_NOT_FOUND,
  type Result,
} from './message.ts';
import { introductionOf, reviewsMethods, SESSION_METHODS, doorOf, type Door } from './service.ts';
import { checkStateless, resultMeta, statelessError, unsupportedVersion } from './stateless.ts';

export interface McpOptions {
  edition: () => Edition;
  logger: Logger;
  access: AccessSettings;
  /** Signs session ids; the same on every replica. */
  secret: string;
  /** Requests per minute and session; 0 means no limit. */
  rate: number;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Seconds since 1970. */
  clock: () => number;
  meters?: Meters;
}

/** Busy sessions that may share an address, such as the sessions of a hosted assistant. */
const SESSIONS_PER_CLIENT = 10;

/** Methods of the endpoint, as in Allow. */
const METHODS = 'POST, DELETE, OPTIONS';

/**
 * Creates the endpoint at /mcp, which serves MCP over streamable HTTP (contract, section 4.8): POST responds
 * with JSON, DELETE ends a session, and there is nothing to GET. Every error has a JSON-RPC body.
 */
export function createMcpEndpoint(options: McpOptions) {
  const { edition, logger, secret, rate, now, clock, meters = NO_METERS } = options;
  const methods = reviewsMethods(edition, meters, logger);
  const sessions = new Sessions(secret, clock);
  const access = new Access(options.access, () => edition().manifest.base_url, logger);
  const bySession = new RateLimit(rate, now);
  const byClient = new RateLimit(rate * SESSIONS_PER_CLIENT, now);

  /** A request without a session counts for its client alone. @throws {McpError} 429 */
  const checkRates = ({ headers, ip }: ServerRequest): void => {
    const session = sessionIn(headers);
    const isKnown = session !== null && sessions.isLive(session);
    const wait = byClient.take(clientNetwork(ip)) || (isKnown ? bySession.take(session) : 0);
    if (wait > 0) throw tooManyRequests(wait);
  };

  /** Checks the session a request names. One that names none is answered: no state is needed. */
  const checkSession = (headers: Headers): void => {
    const id = sessionIn(headers);
    if (id !== null && !sessions.isLive(id)) throw sessionNotFound();
    const version = mcpHeader(headers, 'mcp-protocol-version');
    if (version !== null && !isSessionVersion(version)) throw unsupportedVersion(version);
  };

  const endSession = (id: string, shared: HeaderPairs): Response => {
    if (!sessions.isLive(id)) throw sessionNotFound();
    sessions.end(id);
    return respond(204, shared, null);
  };

  /** Calls a method. @throws {McpError} */
  function* call(request: JSONRPCRequest, door: Door): Pieces<Result> {
    const { method } = request;
    if (!Object.hasOwn(methods, method)) throw methodNotFound();
    try {
      return yield* inPieces(methods[method]!(request, door));
    } catch (error) {
      if (error instanceof McpError) throw error;
      logger.log('error', 'mcp request failed', { method, error });
      throw new McpError(INTERNAL_ERROR, 'Internal error');
    }
  }

  /** Calls a method as revision 2026-07-28 has it. @throws {McpError} */
  function* callStateless(request: JSONRPCRequest, headers: Headers, door: Door): Pieces<Result> {
    checkStateless(headers, request);
    const { method } = request;
    try {
      if (SESSION_METHODS.has(method)) throw methodNotFound();
      const { serverInfo } = introductionOf(edition());
      return { ...resultMeta(method, serverInfo), ...(yield* call(request, door)) };
    } catch (error) {
      throw error instanceof McpError ? statelessError(error) : error;
    }
  }

  /** @throws {McpError} */
  function* answer(body: unknown, headers: Headers, shared: HeaderPairs, door: Door) {
    const stateless = isStateless(headers, body);
    const request = parseMessage(body);
    const opens = request?.method === 'initialize';
    if (!stateless && !opens) checkSession(headers);
    if (!request) return respondSized(202, shared, '');
    const result = yield* stateless ? callStateless(request, headers, door) : call(request, door);
    yield;
    const own: HeaderPairs =
      opens && !stateless
        ? [['mcp-session-id', sessions.issue(String(result.protocolVersion))]]
        : [];
    const message = encodeResult(request.id, result);
    return respondMessage(headers.get('accept'), 200, message, [...shared, ...own]);
  }

  /** Returns the error that a client may see, and logs any other. */
  const errorFor = (error: unknown): McpError => {
    if (error instanceof McpError) return error;
    if (error instanceof RefusedWork) {
      const { status, retrySeconds } = error;
      if (status === 429) return tooManyRequests(retrySeconds);
      return refused(503, 'Busy; see Retry-After', { 'retry-after': String(retrySeconds) });
    }
    logger.log('error', 'mcp request failed', { error });
    return new McpError(INTERNAL_ERROR, 'Internal error', { status: 500 });
  };

  return async (event: H3Event, compute: Compute): Promise<Response> => {
    const { req, url } = event;
    const { headers } = req;
    const origin = headers.get('origin');
    const shared = access.headersFor(origin);
    let body: unknown;
    try {
      const address = req.runtime?.node?.req.socket.localAddress;
      access.check(headers.get('host') ?? url.host, origin, address);
      if (req.method === 'OPTIONS') {
        return respond(204, [...shared, ...preflightHeaders(headers, METHODS)], null);
      }
      const session = sessionIn(headers);
      if (req.method !== 'POST' && (req.method !== 'DELETE' || session === null)) {
        if (isBrowser(req)) return connectPage(edition().manifest.base_url + MCP_PATH);
        const message = 'Send a POST, or a DELETE that names a session: there is no stream to GET';
        throw refused(405, message, { allow: METHODS });
      }
      checkRates(req);
      if (req.method === 'DELETE') return endSession(session!, shared);
      checkContentType(headers);
      body = await readJson(req);
      const door = doorOf(url);
      return await compute(() => answer(body, headers, shared, door));
    } catch (error) {
      const seen = errorFor(error);
      const all = [...shared, ...Object.entries(seen.headers)];
      return respondMessage(headers.get('accept'), seen.status, encodeError(body, seen), all);
    }
  };
}

function sessionIn(headers: Headers): string | null {
  return mcpHeader(headers, 'mcp-session-id');
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

function tooManyRequests(seconds: number): McpError {
  const headers = { 'retry-after': String(seconds) };
  return refused(429, 'Too many requests from this address; see Retry-After', headers);
}

function sessionNotFound(): McpError {
  const message = 'Session not found: call initialize again';
  return new McpError(SESSION_NOT_FOUND, message, { status: 404 });
}

function methodNotFound(): McpError {
  return new McpError(METHOD_NOT_FOUND, 'Method not found');
}
