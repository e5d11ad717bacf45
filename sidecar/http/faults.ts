import type { H3Event } from 'h3';
import { pageHeaders } from '../../src/http.ts';
import { NOT_FOUND_PATH } from '../../src/paths.ts';
import { errorOf, type ErrorBody } from '../../src/schema/error.ts';
import type { Edition } from '../edition/edition.ts';
import { serveFileAs } from './files.ts';
import { errorResponse, respond } from './responses.ts';

/** @param seconds until another request is taken */
export function tooManyRequests(
  event: H3Event,
  edition: Edition,
  seconds: number,
): Response | Promise<Response> {
  return fault(event, edition, 429, { 'retry-after': String(seconds) });
}

/** What is said of each status. */
export const FAULTS: Record<number, ErrorBody> = {
  400: errorOf('bad_request'),
  404: errorOf('not_found'),
  405: errorOf('method_not_allowed'),
  429: errorOf('rate_limited'),
  503: errorOf('unavailable'),
};
export const INTERNAL = errorOf('internal');

/** JSON where programs read, a page where people do; never anything from the request. */
export function fault(
  event: H3Event,
  edition: Edition,
  status: number,
  headers: Record<string, string> = {},
): Response | Promise<Response> {
  const body = FAULTS[status] ?? INTERNAL;
  const { pathname } = event.url;
  if (pathname.startsWith('/api/') || pathname.endsWith('.json')) {
    return errorResponse(status, body, headers);
  }
  const page = status === 404 ? serveFileAs(event, edition, NOT_FOUND_PATH, 404) : undefined;
  return page ?? plainPage(status, body.message, headers);
}

/** Instead of the search page, where its code is not there. */
export function noSearchPage(): Response {
  const message = 'The search page is not here; /api/reviews/search answers the same as JSON.';
  return plainPage(503, message, {});
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
