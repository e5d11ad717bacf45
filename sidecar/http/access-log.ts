import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fields, Logger } from '../base/log.ts';
import type { Meters } from '../base/meters.ts';
import type { Given } from '../../src/search/arguments.ts';

/** Header with the id of a request, in the response and in the log; a proxy may have set it. */
export const REQUEST_ID = 'x-request-id';

/** Form of an id from a client, so that it cannot break a header or a log line. */
const WELL_FORMED = /^[\w.:-]{1,128}$/;

/** Characters of a path in a log line. */
const MAX_PATH = 2048;

interface AccessLogOptions {
  logger: Logger;
  meters: Meters;
  /** Milliseconds, monotonic. */
  now: () => number;
  newId: () => string;
}

/** Carries a request's id to the app, and back from it the route that h3 found. */
export interface RequestContext extends Record<string, unknown> {
  requestId: string;
  matchedRoute?: { route?: string };
  /** Sent instead of the app's response, because the rest of the request was malformed. */
  refused?: Refusal;
}

/** `reason` is the code of the error, e.g. HPE_INVALID_METHOD. */
type Refusal = { status: number; reason: string };

/**
 * Numbers, times, counts and logs every request by the response that was really sent. Queries,
 * addresses and headers are not logged.
 */
export class AccessLog {
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #duration: (labels: Record<'route' | 'status', string>, seconds: number) => void;

  constructor({ logger, meters, now, newId }: AccessLogOptions) {
    this.#logger = logger;
    this.#now = now;
    this.#newId = newId;
    this.#duration = meters.durations(
      'reviews_http_request_duration_seconds',
      'Time from a request to the end of its response; status none if none was sent.',
      ['route', 'status'],
    );
  }

  /** Begins a request. It is counted and logged when its response is closed. */
  begin(request: IncomingMessage, response: ServerResponse): RequestContext {
    const started = this.#now();
    const context: RequestContext = { requestId: this.#idOf(request) };
    response.once('close', () => {
      this.#end(started, context, context.refused ?? outcomeOf(response), request);
    });
    return context;
  }

  /** Counts and logs a response to bytes that are no request. */
  refuse(refused: Refusal): RequestContext {
    const context: RequestContext = { requestId: this.#newId(), refused };
    this.#end(this.#now(), context, refused);
    return context;
  }

  #end(
    started: number,
    context: RequestContext,
    outcome: Fields & Partial<Refusal>,
    request?: IncomingMessage,
  ): void {
    const ms = this.#now() - started;
    const route = context.matchedRoute?.route ?? 'none';
    this.#duration({ route, status: String(outcome.status ?? 'none') }, ms / 1000);
    if (!this.#logger.enabled('info')) return;
    this.#logger.log('info', 'request', {
      id: context.requestId,
      ...(request && { method: request.method, path: loggedPath(request.url) }),
      ...outcome,
      ms: Math.round(ms * 1000) / 1000,
    });
  }

  /** Returns the client's id if it is well-formed, or else a new one. */
  #idOf({ headers }: IncomingMessage): string {
    const given = headers[REQUEST_ID];
    return typeof given === 'string' && WELL_FORMED.test(given) ? given : this.#newId();
  }
}

function outcomeOf(response: ServerResponse): { status?: number; cut?: true } {
  const { writableFinished, headersSent, socket, statusCode: status } = response;
  if (writableFinished) return { status };
  // A response that waits behind another on its connection has no socket yet.
  return headersSent && socket ? { status, cut: true } : { cut: true };
}

/** Returns the path of a request target, without its query; Node's parser lets only printables in. */
function loggedPath(target = ''): string {
  return target.slice(0, MAX_PATH).split('?', 1)[0]!;
}

/** Names of parameters are as short; anything else may be what somebody wrote. */
const KNOWN_FORM = /^[a-z_]{2,20}$/;

/** Counts and logs searches, valid or not, except those refused by the rate limit. */
export function meterSearches(meters: Meters, logger: Logger) {
  const help = 'Searches, by interface.';
  const count = meters.counter('reviews_searches_total', help, ['interface']);
  return (by: 'http' | 'page' | 'mcp', given: Given): void => {
    count({ interface: by });
    if (!logger.enabled('debug')) return;
    const names = Array.from(given, ([name]) => name).filter((name) => KNOWN_FORM.test(name));
    logger.log('debug', 'search', { by, parameters: names });
  };
}
