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
import {
  errorFor,
  invalidDate,
  noPage,
  respondSized,
  allowRead,
  type Answer,
} from './http/responses.ts';
import { serveFile, type ChargeBytes } from './http/files.ts';
import { serveHealth, serveReadiness, type Checks } from './http/health.ts';
import { RateLimit, clientNetwork } from './base/rate-limit.ts';
import { parseReviewPath, serveReview } from './http/review.ts';
import type * as Searches from './http/search.ts';
import { meterSearches } from './http/access-log.ts';
import { serveSince } from './http/since.ts';
import { serveSiteEmbed } from './http/site-embed.ts';
import { RefusedWork, Turns, type Compute } from './http/turns.ts';
import type { Logger } from './base/log.ts';
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

  const refuse = (event: H3Event, status: number, seconds: number): Answer =>
    errorFor(event, edition(), status, { 'retry-after': String(seconds) });
  /** Counts a cost of a request for its client. @throws {RefusedWork} if it is over a limit */
  const charge = (limit: RateLimit, { req }: H3Event, cost?: number): void => {
    const wait = limit.take(clientNetwork(req.ip), cost);
    if (wait > 0) throw new RefusedWork(429, wait);
  };
  const chargeBytes: ChargeBytes = (event, bytes) => charge(downloads, event, bytes);

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
      if (error instanceof RefusedWork) return refuse(event, error.status, error.retrySeconds);
      if (error.status >= 500 && !(error.cause instanceof DamagedFileError)) {
        logger.log('error', 'request failed', { id, error: error.cause ?? error });
      }
      const undecodable = error.status === 400 && event.url.pathname.startsWith(`${SINCE_PATH}/`);
      const retry = error.status === 503 ? { 'retry-after': '30' } : {};
      return undecodable ? invalidDate() : errorFor(event, edition(), error.status, retry);
    },
  });
  // Answered without throwing an error, because most requests of a flood end here.
  app.use((event) => {
    const wait = requests.take(clientNetwork(event.req.ip));
    return wait > 0 ? refuse(event, 429, wait) : undefined;
  });

  const search = (by: 'http' | 'page', event: H3Event): Compute => {
    charge(searches, event);
    searched(by, event.url.searchParams);
    return turnsOf(event);
  };
  let code: Promise<typeof Searches> | undefined;
  /** Returns the code of searches once the reviews are indexed, which only a start waits for. */
  const searchCode = async (): Promise<typeof Searches> => {
    await edition().index();
    return (code ??= import('./http/search.ts'));
  };
  const searchPage: Serve = async (event) => {
    const { pathname, search: query } = event.url;
    if (!pathname.endsWith('/')) return moved(edition(), `${pathname}/${query}`);
    if (!renderPage) return noPage(SEARCH_PATH);
    const { serveSearchPage } = await searchCode();
    return serveSearchPage(event, edition(), renderPage, search('page', event));
  };
  const read = (event: H3Event, serve: Serve) => allowRead(event, edition(), () => serve(event));
  const reads: Record<string, Serve> = {
    [HEALTH_PATH]: serveHealth,
    [READINESS_PATH]: () => serveReadiness(checks),
    [SEARCH_PATH]: async (event) =>
      (await searchCode()).serveSearch(event, edition(), search('http', event)),
    [COUNT_PATH]: async (event) =>
      (await searchCode()).serveCount(event, edition(), search('http', event)),
    [SEARCH_PAGE_PATH]: searchPage,
    [`${SINCE_PATH}/:date`]: (event) =>
      serveSince(event, edition(), event.context.params!.date!, chargeBytes, turnsOf(event)),
    [OEMBED_PATH]: (event) => serveSiteEmbed(event, edition(), chargeBytes),
  };
  for (const [usual, path] of Object.entries(USUAL_PATHS)) {
    reads[usual] = () => moved(edition(), path);
  }
  for (const [path, serve] of Object.entries(reads)) {
    app.all(path, (event) => read(event, serve)); // also with a slash at the end
  }
  app.all(`/:language${SEARCH_PAGE_PATH}`, (event) => {
    const isPage = edition().manifest.site?.languages?.includes(event.context.params!.language!);
    return isPage ? read(event, searchPage) : serveStatic(event, edition(), chargeBytes);
  });
  app.all(`${ARCHIVE_PATH}:name`, (event) => {
    const { pathname } = event.url;
    const asked = parseReviewPath(pathname);
    if (!asked || edition().files.has(pathname)) return serveStatic(event, edition(), chargeBytes);
    return read(event, () => {
      if (asked.kind === 'page' && !pathname.endsWith('/')) return moved(edition(), `${pathname}/`);
      charge(searches, event);
      return serveReview(event, edition(), asked, renderPage, turnsOf(event));
    });
  });
  app.all(MCP_PATH, (event) => mcp(event, turnsOf(event)));
  app.all(HUB_PATH, (event) => hub(event));
  app.all('/**', (event) => serveStatic(event, edition(), chargeBytes));
  return app;
}

type Serve = (event: H3Event) => Answer;

function serveStatic(event: H3Event, edition: Edition, chargeBytes: ChargeBytes): Answer {
  const asked = event.url.pathname;
  const pathname = edition.files.has(asked) ? asked : asked.replace(/\/$/, '');
  const directory = edition.files.has(`${pathname}/`);
  if (!edition.files.has(pathname) && !directory) return errorFor(event, edition, 404);
  return allowRead(event, edition, () =>
    directory ? moved(edition, `${pathname}/`) : serveFile(event, edition, pathname, chargeBytes)!,
  );
}

function moved({ basePath }: Edition, path: string): Response {
  const headers = { location: basePath + path, 'cache-control': CACHE_MOVED, ...SECURITY_HEADERS };
  return respondSized(301, headers, '');
}
