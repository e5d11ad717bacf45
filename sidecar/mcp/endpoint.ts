import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { H3Event } from 'h3';
import type { ServerRequest } from 'srvx';
import type { HeaderPairs } from '../../src/http.ts';
import { developersPath, JSON_TYPE, MCP_PATH } from '../../src/paths.ts';
import type { Logger } from '../base/log.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import { clientNetwork } from '../base/network.ts';
import type { Edition } from '../edition/edition.ts';
import { errorPage } from '../http/errors.ts';
import { preflightHeaders } from '../http/methods.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { respond } from '../http/responses.ts';
import { RefusedWork, type Compute } from '../http/turns.ts';
import { Access, type AccessSettings } from './access.ts';
import { encodeError, encodeResult, type Result } from './encode.ts';
import {
  checkMediaTypes,
  idOf,
  INTERNAL_ERROR,
  McpError,
  METHOD_NOT_FOUND,
  parseMessage,
  readJson,
  REFUSED,
  SESSION_NOT_FOUND,
} from './message.ts';
import { reviewsService } from './reviews-service.ts';
import { methodsOf, type McpService, type Method, type WantedTools } from './service.ts';
import { isSessionVersion, Sessions } from './session.ts';
import {
  checkStateless,
  DISCOVER,
  discovery,
  isStateless,
  resultMeta,
  statelessError,
  unsupportedVersion,
} from './stateless.ts';

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
 * Serves MCP over streamable HTTP (contract, section 4.8): POST responds with JSON, DELETE ends a
 * session, and there is nothing to GET. Every error has a JSON-RPC body.
 */
export class McpEndpoint {
  readonly #edition: () => Edition;
  readonly #logger: Logger;
  readonly #service: McpService;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #sessions: Sessions;
  readonly #access: Access;
  /** A request without a session counts for its client alone. */
  readonly #rates: Record<'session' | 'client', RateLimit>;

  /** @param service the reviews, unless a test replaces them */
  constructor(
    { edition, logger, access, secret, rate, now, clock, meters = NO_METERS }: McpOptions,
    service: McpService = reviewsService(edition, meters),
  ) {
    this.#edition = edition;
    this.#logger = logger;
    this.#service = service;
    this.#methods = methodsOf(service);
    this.#sessions = new Sessions(secret, clock);
    this.#access = new Access(access, () => edition().manifest.base_url);
    this.#rates = {
      session: new RateLimit(rate, now),
      client: new RateLimit(rate * SESSIONS_PER_CLIENT, now),
    };
  }

  /** Handles every method at /mcp. */
  async handle(event: H3Event, compute: Compute): Promise<Response> {
    const { req } = event;
    const { headers } = req;
    const origin = headers.get('origin');
    const shared = this.#access.headersFor(origin);
    let body: unknown;
    try {
      this.#access.check(headers.get('host') ?? event.url.host, origin);
      if (req.method === 'OPTIONS') {
        return respond(204, [...shared, ...preflightHeaders(METHODS)], null);
      }
      if (req.method !== 'POST' && req.method !== 'DELETE') {
        if (isBrowser(req)) return connectPage(this.#edition().manifest.base_url + MCP_PATH);
        throw methodNotAllowed();
      }
      this.#checkRates(req);
      if (req.method === 'DELETE') return this.#endSession(headers, shared);
      checkMediaTypes(headers);
      body = await readJson(req);
      return await compute(() => this.#answer(body, headers, shared, wantedTools(event.url)));
    } catch (error) {
      const seen = this.#errorFor(error);
      const all = [...shared, ...Object.entries(seen.headers)];
      return json(seen.status, encodeError(idOf(body), seen), all);
    }
  }

  /** @throws {McpError} 429 */
  #checkRates({ headers, ip }: ServerRequest): void {
    const client = clientNetwork(ip);
    const session = headers.get('mcp-session-id');
    const isKnown = session !== null && this.#sessions.isLive(session);
    const { client: all, session: each } = this.#rates;
    const wait = all.take(client) || (isKnown ? each.take(session) : 0);
    if (wait > 0) throw tooManyRequests(wait);
  }

  /** @throws {McpError} */
  #answer(body: unknown, headers: Headers, shared: HeaderPairs, tools: WantedTools): Response {
    const stateless = isStateless(headers, body);
    const request = parseMessage(body);
    if (!stateless && request?.method !== 'initialize') this.#checkSession(headers);
    if (!request) return respond(202, [...shared, ['content-length', '0']], null);
    return stateless
      ? this.#answerStateless(request, headers, shared, tools)
      : this.#answerInSession(request, shared, tools);
  }

  #answerInSession(request: JSONRPCRequest, shared: HeaderPairs, tools: WantedTools): Response {
    const result = this.#call(request, tools);
    const reply = encodeResult(request.id, result);
    if (request.method !== 'initialize') return json(200, reply, shared);
    const { protocolVersion } = result as { protocolVersion: string };
    const id = this.#sessions.issue(protocolVersion);
    return json(200, reply, [...shared, ['mcp-session-id', id]]);
  }

  #answerStateless(
    request: JSONRPCRequest,
    headers: Headers,
    shared: HeaderPairs,
    tools: WantedTools,
  ): Response {
    checkStateless(headers, request);
    const { id, method } = request;
    const service = this.#service;
    try {
      const result = method === DISCOVER ? discovery(service) : this.#call(request, tools);
      return json(200, encodeResult(id, result, resultMeta(method, service)), shared);
    } catch (error) {
      throw error instanceof McpError ? statelessError(error) : error;
    }
  }

  /** Calls a method. @throws {McpError} */
  #call(request: JSONRPCRequest, tools: WantedTools): Result {
    const method = this.#methods.get(request.method);
    if (!method) throw new McpError(METHOD_NOT_FOUND, 'Method not found');
    try {
      return method(request, tools);
    } catch (error) {
      if (error instanceof McpError) throw error;
      this.#logger.log('error', 'mcp request failed', { method: request.method, error });
      throw new McpError(INTERNAL_ERROR, 'Internal error');
    }
  }

  /** Checks the session a request names. One that names none is answered: no state is needed. */
  #checkSession(headers: Headers): void {
    const id = headers.get('mcp-session-id');
    if (id !== null && !this.#sessions.isLive(id)) throw sessionNotFound();
    const version = headers.get('mcp-protocol-version');
    if (version !== null && !isSessionVersion(version)) throw unsupportedVersion(version);
  }

  #endSession(headers: Headers, shared: HeaderPairs): Response {
    const id = headers.get('mcp-session-id');
    if (id === null) throw refused(400, 'Mcp-Session-Id must name the session to end');
    if (!this.#sessions.isLive(id)) throw sessionNotFound();
    this.#sessions.end(id);
    return respond(204, shared, null);
  }

  /** Returns the error that a client may see, and logs any other. */
  #errorFor(error: unknown): McpError {
    if (error instanceof McpError) return error;
    if (error instanceof RefusedWork) {
      const { status, retrySeconds } = error;
      if (status === 429) return tooManyRequests(retrySeconds);
      return refused(503, 'Busy; see Retry-After', { 'retry-after': String(retrySeconds) });
    }
    this.#logger.log('error', 'mcp request failed', { error });
    return new McpError(INTERNAL_ERROR, 'Internal error', { status: 500 });
  }
}

/** Returns the tools that an address names, as in `/mcp?tools=search,fetch`. */
function wantedTools({ searchParams }: URL): WantedTools {
  const tools = searchParams.get('tools');
  return tools ? new Set(tools.split(',')) : undefined;
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
