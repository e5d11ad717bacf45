import { H3, type H3Event } from 'h3';
import { CACHE_MOVED, SECURITY_HEADERS } from '../src/http.ts';
import {
  ARCHIVE_PATH,
  COUNT_PATH,
  HEALTH_PATH,
  USUAL_PATHS,
  HUB_PATH,
  MCP_PATH,
  OEMBED_PATH,
  READINESS_PATH,
  SEARCH_PAGE_PATH,
  SEARCH_PATH,
  SINCE_PATH,
} from '../src/paths.ts';
import type { Edition } from './edition/edition.ts';
import { DamagedFileError } from './edition/verified-files.ts';
import { errorFor, invalidDate, noPage, respond, type Answer } from './http/responses.ts';
import { serveFile, type Budget } from './http/files.ts';
import { serveHealth, serveReadiness, type Checks } from './http/health.ts';
import { allowRead } from './http/methods.ts';
import { RateLimit } from './http/rate-limit.ts';
import { parseReviewPath, serveReview } from './http/review.ts';
import { meterSearches, serveCount, serveSearch, serveSearchPage } from './http/search.ts';
import { serveSince } from './http/since.ts';
import { serveSiteEmbed } from './http/site-embed.ts';
import { RefusedWork, Turns, type Compute } from './http/turns.ts';
import type { Logger } from './base/log.ts';
import { clientNetwork } from './base/network.ts';
import { NO_METERS, type Meters } from './base/meters.ts';
import type { RenderPage } from '../src/page-renderer.ts';

/** Everything the app needs from outside. Its only own I/O is reading the edition. */
export interface Dependencies {
  /** Returns the current edition; a request keeps the one it started with. */
  edition: () => Edition;
  logger: Logger;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Renders pages on demand; undefined if their code is missing. */
  renderPage?: RenderPage | undefined;
  /**
   * Searches and computed reviews per minute and client, and hundredths of a second to compute
   * answers of all kinds; 0 means no limit.
   */
  searchRate: number;
  /** Bytes of files and listings per minute and client, and 20,000 times the requests; 0 means no limit. */
  downloadRate: number;
  /** Handles every method at /mcp. */
  mcp: (event: H3Event, compute: Compute) => Promise<Response>;
  /** Handles every method at /api/websub/hub. */
  hub: (event: H3Event) => Promise<Response>;
  meters?: Meters;
  /** Checks that /readyz runs. */
  checks?: Checks;
}

/** Bytes in the budget of a client for each request that it may send, however short the response is. */
const REQUEST_BYTES = 20_000;
/** Milliseconds of computing in the budget of a client for each search that it may send. */
const SEARCH_MS = 10;

/** Creates the HTTP interface. It never throws: every error becomes a response. */
export function createApp(dependencies: Dependencies): H3 {
  const { edition, logger, now, renderPage, mcp, hub } = dependencies;
  const { meters = NO_METERS, checks = {} } = dependencies;
  const searched = meterSearches(meters, logger);
  const searches = new RateLimit(dependencies.searchRate, now);
  const downloads = new RateLimit(dependencies.downloadRate, now);
  const requests = new RateLimit(dependencies.downloadRate / REQUEST_BYTES, now);
  const turns = new Turns(now, new RateLimit(dependencies.searchRate * SEARCH_MS, now), logger);

  /** Answers a request that is over a limit; undefined for any other. */
  const refuseOver = (limit: RateLimit, event: H3Event, cost = 1): Answer | undefined => {
    const wait = limit.take(clientNetwork(event.req.ip), cost);
    const retry = { 'retry-after': String(wait) };
    return wait > 0 ? errorFor(event, edition(), 429, retry) : undefined;
  };
  const overDownloads: Budget = (event, bytes) => refuseOver(downloads, event, bytes);

  const turnsOf = ({ req }: H3Event): Compute => {
    const client = clientNetwork(req.ip);
    let isFirst = true;
    return (work) => {
      const isBeginning = isFirst;
      isFirst = false;
      return turns.take(client, work, isBeginning);
    };
  };

  const app = new H3({
    silent: true,
    onError: (error, event) => {
      const { requestId: id } = event.context;
      if (error.cause instanceof RefusedWork) {
        const { status, retrySeconds } = error.cause;
        return errorFor(event, edition(), status, { 'retry-after': String(retrySeconds) });
      }
      if (error.status >= 500 && !(error.cause instanceof DamagedFileError)) {
        logger.log('error', 'request failed', { id, error: error.cause ?? error });
      }
      const undecodable = error.status === 400 && event.url.pathname.startsWith(`${SINCE_PATH}/`);
      const retry = error.status === 503 ? { 'retry-after': '30' } : {};
      return undecodable ? invalidDate() : errorFor(event, edition(), error.status, retry);
    },
  });
  app.use((event) => refuseOver(requests, event));
  for (const [usual, path] of Object.entries(USUAL_PATHS)) {
    app.all(usual, (event) => allowRead(event, edition(), () => moved(edition(), path)));
  }
  const read = (path: string, serve: (event: H3Event) => Answer) =>
    app.all(path, (event) => allowRead(event, edition(), () => serve(event))); // also with a slash at the end
  read(HEALTH_PATH, serveHealth);
  read(READINESS_PATH, () => serveReadiness(checks));
  for (const [path, serve] of [
    [SEARCH_PATH, serveSearch],
    [COUNT_PATH, serveCount],
  ] as const) {
    read(path, (event) => {
      const refused = refuseOver(searches, event);
      if (refused) return refused;
      searched('http', event.url.searchParams);
      return serve(event, edition(), turnsOf(event));
    });
  }
  const searchPage = (event: H3Event): Answer =>
    allowRead(event, edition(), () => {
      const { pathname, search } = event.url;
      if (!pathname.endsWith('/')) return moved(edition(), `${pathname}/${search}`);
      if (!renderPage) return noPage(SEARCH_PATH);
      const refused = refuseOver(searches, event);
      if (refused) return refused;
      searched('page', event.url.searchParams);
      return serveSearchPage(event, edition(), renderPage, turnsOf(event));
    });
  app.all(SEARCH_PAGE_PATH, searchPage);
  app.all(`/:language${SEARCH_PAGE_PATH}`, (event) => {
    const isPage = edition().manifest.site?.languages?.includes(event.context.params!.language!);
    return isPage ? searchPage(event) : serveStatic(event, edition(), overDownloads);
  });
  read(`${SINCE_PATH}/:date`, (event) =>
    serveSince(event, edition(), event.context.params!.date!, overDownloads, turnsOf(event)),
  );
  app.all(`${ARCHIVE_PATH}:name`, (event) => {
    const { pathname } = event.url;
    const asked = parseReviewPath(pathname);
    if (!asked || edition().files.has(pathname)) {
      return serveStatic(event, edition(), overDownloads);
    }
    return allowRead(event, edition(), () => {
      if (asked.kind === 'page' && !pathname.endsWith('/')) return moved(edition(), `${pathname}/`);
      const refused = refuseOver(searches, event);
      return refused ?? serveReview(event, edition(), asked, renderPage, turnsOf(event));
    });
  });
  read(OEMBED_PATH, (event) => serveSiteEmbed(event, edition(), overDownloads));
  app.all(MCP_PATH, (event) => mcp(event, turnsOf(event)));
  app.all(HUB_PATH, (event) => hub(event));
  app.all('/**', (event) => serveStatic(event, edition(), overDownloads));
  return app;
}

function serveStatic(event: H3Event, edition: Edition, overBudget: Budget): Answer {
  const asked = event.url.pathname;
  const pathname = edition.files.has(asked) ? asked : asked.replace(/\/$/, '');
  const directory = edition.files.has(`${pathname}/`);
  if (!edition.files.has(pathname) && !directory) return errorFor(event, edition, 404);
  return allowRead(event, edition, () =>
    directory ? moved(edition, `${pathname}/`) : serveFile(event, edition, pathname, overBudget)!,
  );
}

function moved({ basePath }: Edition, path: string): Response {
  return respond(
    301,
    [
      ['location', basePath + path],
      ['content-length', '0'],
      ['cache-control', CACHE_MOVED],
      ...Object.entries(SECURITY_HEADERS),
    ],
    null,
  );
}
