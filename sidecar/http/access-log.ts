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

export type AccessLog = ReturnType<typeof createAccessLog>;

/**
 * Numbers, times, counts and logs every request by the response that was really sent. Queries,
 * addresses and headers are not logged.
 */
export function createAccessLog({ logger, meters, now, newId }: AccessLogOptions) {
  const duration = meters.durations(
    'reviews_http_request_duration_seconds',
    'Time from a request to the end of its response; status none if none was sent.',
    ['route', 'status'],
  );
  const end = (
    started: number,
    context: RequestContext,
    outcome: Fields & Partial<Refusal>,
    request?: IncomingMessage,
  ): void => {
    const ms = now() - started;
    const route = context.matchedRoute?.route ?? 'none';
    duration({ route, status: String(outcome.status ?? 'none') }, ms / 1000);
    if (!logger.enabled('info')) return;
    logger.log('info', 'request', {
      id: context.requestId,
      ...(request && { method: request.method, path: loggedPath(request.url) }),
      ...outcome,
      ms: Math.round(ms * 1000) / 1000,
    });
  };
  return {
    /** Begins a request. It is counted and logged when its response is closed. */
    begin(request: IncomingMessage, response: ServerResponse): RequestContext {
      const started = now();
      const given = request.headers[REQUEST_ID];
      const isKept = typeof given === 'string' && WELL_FORMED.test(given);
      const context: RequestContext = { requestId: isKept ? given : newId() };
      response.once('close', () => {
        end(started, context, context.refused ?? outcomeOf(response), request);
      });
      return context;
    },
    /** Counts and logs a response to bytes that are no request. */
    refuse(refused: Refusal): RequestContext {
      const context: RequestContext = { requestId: newId(), refused };
      end(now(), context, refused);
      return context;
    },
  };
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
