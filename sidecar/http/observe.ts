import { HTTPError, type H3Event } from 'h3';
import type { Logger } from '../base/log.ts';
import type { Meters } from '../base/meters.ts';
import { addHeader } from './responses.ts';
import { REQUEST_ID, requestId } from './request-id.ts';

export interface Observer {
  logger: Logger;
  meters: Meters;
  /** Milliseconds, monotonic. */
  now: () => number;
  newId: () => string;
}

type Next = () => unknown;

/**
 * Names, times and counts every request: the id goes into the answer and the log line, the
 * duration under the pattern of the route. Queries, addresses and headers are not logged.
 */
export function observeRequests({ logger, meters, now, newId }: Observer) {
  const duration = meters.durations(
    'reviews_http_request_duration_seconds',
    'Time until the answer to a request was ready.',
    ['route', 'status'],
  );
  const logged = logger.enabled('info');

  return (event: H3Event, next: Next): unknown => {
    const started = now();
    const id = requestId(event.req.headers, newId);
    event.context.requestId = id;
    const done = (status: number): void => {
      const ms = now() - started;
      const route = event.context.matchedRoute?.route ?? 'none';
      duration({ route, status: String(status) }, ms / 1000);
      if (!logged) return;
      const { method } = event.req;
      const path = event.url.pathname;
      const rounded = Math.round(ms * 1000) / 1000;
      logger.log('info', 'request', { id, method, path, status, ms: rounded });
    };
    const answered = (response: Response): Response => {
      done(response.status);
      return addHeader(response, REQUEST_ID, id);
    };
    const failed = (error: unknown): never => {
      done(HTTPError.isError(error) ? error.status : 500);
      throw error;
    };
    let answer: unknown;
    try {
      answer = next();
    } catch (error) {
      return failed(error);
    }
    return answer instanceof Promise ? answer.then(answered, failed) : answered(answer as Response);
  };
}
