import { randomUUID } from 'node:crypto';
import { H3, type H3Event } from 'h3';
import { CORS_HEADERS, pageHeaders } from '../src/edition/headers.ts';
import { NOT_FOUND_PATH, SEARCH_PATH, SINCE_PATH } from '../src/edition/paths.ts';
import type { ErrorBody } from '../src/schema/error.ts';
import type { Edition } from './edition/edition.ts';
import { serveFile, serveFileAs } from './http/files.ts';
import { serveHealth, serveReadiness, type Checks } from './http/health.ts';
import { observeRequests } from './http/observe.ts';
import { RateLimit } from './http/rate-limit.ts';
import { REQUEST_ID, requestId } from './http/request-id.ts';
import { addHeader, errorResponse, respond } from './http/responses.ts';
import { serveSearch } from './http/search.ts';
import { serveSince } from './http/since.ts';
import type { Logger } from './log.ts';
import { NO_METERS, type Meters } from './metrics/meters.ts';

/** All that the app needs from outside; it does no I/O of its own but to read the edition. */
export interface Dependencies {
  /** The edition to serve now; a request keeps the one it began with. */
  edition: () => Edition;
  logger: Logger;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Searches a minute per client; 0 is no limit. */
  searchRate: number;
  meters?: Meters;
  /** What /readyz asks. */
  checks?: Checks;
}

type Answer = Response | Promise<Response>;

/** The whole HTTP surface. Throws nothing: every fault becomes an answer. */
export function createApp(dependencies: Dependencies): H3 {
  const { edition, logger, now, searchRate, meters = NO_METERS, checks = {} } = dependencies;
  const searched = meters.counter('reviews_searches_total', 'Searches, by the door they came by.', [
    'door',
  ]);
  const searches = new RateLimit(searchRate, now);

  const app = new H3({
    silent: true,
    onError: async (error, event) => {
      // An address that cannot be decoded fails before the request is named.
      const named = event.context.requestId as string | undefined;
      const id = named ?? requestId(event.req.headers, randomUUID);
      if (error.status >= 500)
        logger.log('error', 'request failed', { id, error: error.cause ?? error });
      return addHeader(await fault(event, edition(), error.status), REQUEST_ID, id);
    },
  });
  app.use(observeRequests({ logger, meters, now, newId: randomUUID }));
  app.get('/healthz', () => serveHealth());
  app.get('/readyz', () => serveReadiness(checks));

  app.all(SEARCH_PATH, (event) =>
    exactly(event, edition(), () => {
      const wait = searches.take(event.req.ip ?? '');
      if (wait > 0) return tooManyRequests(wait);
      searched({ door: 'http' });
      return serveSearch(event, edition());
    }),
  );
  app.all(`${SINCE_PATH}/:date`, (event) =>
    exactly(event, edition(), () => serveSince(event, edition(), event.context.params!.date!)),
  );
  app.all('/**', (event) => serveStatic(event, edition()));
  return app;
}

const READ_METHODS = 'GET, HEAD, OPTIONS';

/** GET and HEAD; a preflight is answered, any other method refused. */
function reading(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  const { method } = event.req;
  if (method === 'GET' || method === 'HEAD') return answer();
  return method === 'OPTIONS' ? preflight() : fault(event, edition, 405, { allow: READ_METHODS });
}

/** The router takes a slash at the end too, but a file of that name would not be found. */
function exactly(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  return event.url.pathname.endsWith('/')
    ? fault(event, edition, 404)
    : reading(event, edition, answer);
}

function serveStatic(event: H3Event, edition: Edition): Answer {
  const { pathname } = event.url;
  const directory = edition.files.has(`${pathname}/`);
  if (!edition.files.has(pathname) && !directory) return fault(event, edition, 404);
  return reading(event, edition, () =>
    directory ? moved(`${pathname}/`) : serveFile(event, edition, pathname)!,
  );
}

/** @param path known to the edition, so nothing of the request is echoed */
function moved(path: string): Response {
  return respond(
    301,
    [
      ['location', path],
      ['content-length', '0'],
      ['cache-control', 'public, max-age=3600'],
    ],
    null,
  );
}

/** What a browser asks before a cross-origin request (Fetch standard, section 3.3). */
function preflight(): Response {
  const headers = {
    ...CORS_HEADERS,
    allow: READ_METHODS,
    'access-control-allow-methods': READ_METHODS,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '86400',
  };
  return respond(204, Object.entries(headers), null);
}

const ALLOWED_HEADERS =
  'If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version';

function tooManyRequests(seconds: number): Response {
  const message = 'Too many requests from this address; see Retry-After.';
  return errorResponse(429, { error: 'rate_limited', message }, { 'retry-after': String(seconds) });
}

const FAULTS: Record<number, ErrorBody> = {
  400: { error: 'bad_request', message: 'The request cannot be understood.' },
  404: { error: 'not_found', message: 'There is nothing at this address.' },
  405: { error: 'method_not_allowed', message: 'This address is read with GET or HEAD.' },
  413: { error: 'too_large', message: 'The body of the request is too large.' },
};
const INTERNAL: ErrorBody = { error: 'internal', message: 'The service failed to answer this.' };

/** JSON where programs read, a page where people do; never anything from the request. */
function fault(
  event: H3Event,
  edition: Edition,
  status: number,
  headers: Record<string, string> = {},
): Answer {
  const body = FAULTS[status] ?? INTERNAL;
  const { pathname } = event.url;
  if (pathname.startsWith('/api/') || pathname.endsWith('.json')) {
    return errorResponse(status, body, headers);
  }
  const page = status === 404 ? serveFileAs(event, edition, NOT_FOUND_PATH, 404) : undefined;
  return page ?? plainPage(status, body.message, headers);
}

function plainPage(status: number, message: string, headers: Record<string, string>): Response {
  const html = `<!doctype html><html lang="en"><title>${status}</title><p>${message}</p></html>\n`;
  const all = {
    ...pageHeaders(),
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(html)),
    ...headers,
  };
  return respond(status, Object.entries(all), html);
}
