import type { H3Event } from 'h3';
import { pageHeaders } from '../../src/http.ts';
import { NOT_FOUND_PATH } from '../../src/paths.ts';
import type { ErrorBody } from '../../src/schema/error.ts';
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
  400: { error: 'bad_request', message: 'The request cannot be understood.' },
  404: { error: 'not_found', message: 'There is nothing at this address.' },
  405: { error: 'method_not_allowed', message: 'This address is read with GET or HEAD.' },
  503: { error: 'unavailable', message: 'This cannot be answered at the moment; see Retry-After.' },
  429: {
    error: 'rate_limited',
    message: 'Too many requests from this address; see Retry-After.',
  },
};
export const INTERNAL: ErrorBody = {
  error: 'internal',
  message: 'The service failed to answer this.',
};

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
