import { randomUUID } from 'node:crypto';
import { H3, type H3Event } from 'h3';
import { CORS_HEADERS, pageHeaders } from '../src/edition/headers.ts';
import {
  HUB_PATH,
  MCP_PATH,
  NOT_FOUND_PATH,
  SEARCH_PAGE_PATH,
  SEARCH_PATH,
  SINCE_PATH,
} from '../src/edition/paths.ts';
import type { ErrorBody } from '../src/schema/error.ts';
import type { Edition } from './edition/edition.ts';
import { serveFile, serveFileAs } from './http/files.ts';
import { hubFault, serveHub } from './http/hub.ts';
import { serveHealth, serveReadiness, type Checks } from './http/health.ts';
import { observeRequests } from './http/observe.ts';
import { RateLimit } from './http/rate-limit.ts';
import { REQUEST_ID, requestId } from './http/request-id.ts';
import { addHeader, errorResponse, respond } from './http/responses.ts';
import { serveSearchPage } from './http/search-page.ts';
import { serveSearch } from './http/search.ts';
import { serveSince } from './http/since.ts';
import type { Hub } from './hub/hub.ts';
import type { Logger } from './log.ts';
import { NO_METERS, type Meters } from './metrics/meters.ts';
import { meterSearches } from './metrics/search-meter.ts';
import type { RenderPage } from './pages/renderer.ts';

/** All that the app needs from outside; it does no I/O of its own but to read the edition. */
export interface Dependencies {
  /** The edition to serve now; a request keeps the one it began with. */
  edition: () => Edition;
  logger: Logger;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Makes the pages that are made on demand; undefined where their code is not there. */
  renderPage?: RenderPage | undefined;
  /** Searches a minute per client; 0 is no limit. */
  searchRate: number;
  /** Answers every method at /mcp. */
  mcp: (event: H3Event) => Promise<Response>;
  hub: Pick<Hub, 'accept' | 'rules'>;
  /** Requests to the hub a minute per client; 0 is no limit. */
  hubRate: number;
  meters?: Meters;
  /** What /readyz asks. */
  checks?: Checks;
}

type Answer = Response | Promise<Response>;

/** The whole HTTP surface. Throws nothing: every fault becomes an answer. */
export function createApp(dependencies: Dependencies): H3 {
  const { edition, logger, now, renderPage, searchRate, mcp, hub, hubRate } = dependencies;
  const { meters = NO_METERS, checks = {} } = dependencies;
  const searched = meterSearches(meters);
  const searches = new RateLimit(searchRate, now);
  const hubRequests = new RateLimit(hubRate, now);

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
      if (wait > 0) return tooManyRequests(event, edition(), wait);
      searched('http');
      return serveSearch(event, edition());
    }),
  );
  app.all(SEARCH_PAGE_PATH, (event) => {
    if (!event.url.pathname.endsWith('/')) return moved(SEARCH_PAGE_PATH + event.url.search);
    return reading(event, edition(), () => {
      if (!renderPage) return fault(event, edition(), 503);
      const wait = searches.take(event.req.ip ?? '');
      if (wait > 0) return tooManyRequests(event, edition(), wait);
      searched('page');
      return serveSearchPage(event, edition(), renderPage);
    });
  });
  app.all(`${SINCE_PATH}/:date`, (event) =>
    exactly(event, edition(), () => serveSince(event, edition(), event.context.params!.date!)),
  );
  app.all(MCP_PATH, (event) =>
    event.url.pathname === MCP_PATH ? mcp(event) : fault(event, edition(), 404),
  );
  app.all(HUB_PATH, (event) =>
    posting(event, edition(), () => {
      const wait = hubRequests.take(event.req.ip ?? '');
      if (wait === 0) return serveHub(event, hub);
      return hubFault(event, 429, FAULTS[429]!, { 'retry-after': String(wait) });
    }),
  );
  app.all('/**', (event) => serveStatic(event, edition()));
  return app;
}

const READ_METHODS = 'GET, HEAD, OPTIONS';
const POST_METHODS = 'POST, OPTIONS';
const POST_ONLY: ErrorBody = {
  error: 'method_not_allowed',
  message: 'This address is asked with POST.',
};

/** GET and HEAD; a preflight is answered, any other method refused. */
function reading(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  const { method } = event.req;
  if (method === 'GET' || method === 'HEAD') return answer();
  return method === 'OPTIONS' ? preflight() : fault(event, edition, 405, { allow: READ_METHODS });
}

/** POST; a preflight is answered, any other method refused. */
function posting(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  if (event.url.pathname.endsWith('/')) return fault(event, edition, 404);
  const { method } = event.req;
  if (method === 'POST') return answer();
  return method === 'OPTIONS'
    ? preflight(POST_METHODS)
    : errorResponse(405, POST_ONLY, { allow: POST_METHODS });
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
function preflight(methods = READ_METHODS): Response {
  const headers = {
    ...CORS_HEADERS,
    allow: methods,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '86400',
  };
  return respond(204, Object.entries(headers), null);
}

const ALLOWED_HEADERS =
  'If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version';

function tooManyRequests(event: H3Event, edition: Edition, seconds: number): Answer {
  return fault(event, edition, 429, { 'retry-after': String(seconds) });
}

const FAULTS: Record<number, ErrorBody> = {
  400: { error: 'bad_request', message: 'The request cannot be understood.' },
  404: { error: 'not_found', message: 'There is nothing at this address.' },
  405: { error: 'method_not_allowed', message: 'This address is read with GET or HEAD.' },
  429: {
    error: 'rate_limited',
    message: 'Too many requests from this address; see Retry-After.',
  },
  503: {
    error: 'unavailable',
    message: 'The search page is not here; /api/reviews/search answers the same as JSON.',
  },
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
