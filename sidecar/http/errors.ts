import type { H3Event } from 'h3';
import { CACHE_NOTHING, pageHeaders } from '../../src/http.ts';
import { NOT_FOUND_PATH } from '../../src/paths.ts';
import { errorOf, invalidParameters, type ErrorCode } from '../../src/schema/error.ts';
import type { Edition } from '../edition/edition.ts';
import { errorResponse, respond, type Answer } from './responses.ts';

const CODES: Partial<Record<number, ErrorCode>> = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Returns an error as JSON for the paths that programs read, as a page for the others. */
export function errorFor(
  event: H3Event,
  edition: Edition,
  status: number,
  headers: Record<string, string> = {},
): Answer {
  const body = errorOf(CODES[status] ?? 'internal');
  const { pathname } = event.url;
  if (pathname.startsWith('/api/') || pathname.endsWith('.json')) {
    return errorResponse(status, body, headers);
  }
  const page = status === 404 && edition.files.get(NOT_FOUND_PATH)?.identity;
  if (!page) return errorPage(status, body.message, headers);
  if (event.req.method === 'HEAD') return respond(status, page.headers, null);
  return edition.files.bytes(page).then((bytes) => respond(status, page.headers, bytes));
}

/** Returns the error for a since listing whose date is not a calendar day. */
export function invalidDate(): Response {
  const issue = {
    path: ['date'],
    code: 'invalid_date',
    message: 'date must be a calendar day, YYYY-MM-DD',
  };
  const message = 'The date is not a calendar day.';
  return errorResponse(400, { ...invalidParameters([issue]), message });
}

/**
 * Returns the error for a page whose code is missing.
 *
 * @param path of the same as JSON
 */
export function noPage(path: string): Response {
  return errorPage(503, `This page cannot be shown here; ${path} answers the same as JSON.`, {});
}

/** @param message as HTML @param title as HTML */
export function errorPage(
  status: number,
  message: string,
  headers: Record<string, string>,
  title = String(status),
): Response {
  const html = `<!doctype html><html lang="en"><title>${title}</title><p>${message}</p></html>\n`;
  const all = {
    ...pageHeaders(),
    'cache-control': CACHE_NOTHING,
    'content-length': String(Buffer.byteLength(html)),
    ...headers,
  };
  return respond(status, Object.entries(all), html);
}
