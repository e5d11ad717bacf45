import { hash } from 'node:crypto';
import type { H3Event } from 'h3';
import { searchAnswer } from '../../src/search/result.ts';
import { parseSearchParameters } from '../../src/search/parameters.ts';
import { isNotModified } from '../../src/edition/conditional.ts';
import { CACHE_SEARCH, dataHeaders, type HeaderPairs } from '../../src/http.ts';
import { JSON_TYPE } from '../../src/paths.ts';
import { invalidParameters } from '../../src/schema/error.ts';
import type { SearchFilters } from '../../src/schema/search.ts';
import type { Meters } from '../base/meters.ts';
import type { Edition } from '../edition/edition.ts';
import { errorResponse } from './errors.ts';
import { respond } from './responses.ts';

const HEADERS: HeaderPairs = Object.entries(dataHeaders(JSON_TYPE, CACHE_SEARCH));

/** Counts searches, valid or not, except those refused by the rate limit. */
export function meterSearches(meters: Meters): (by: 'http' | 'page' | 'mcp') => void {
  const help = 'Searches, by interface.';
  const count = meters.counter('reviews_searches_total', help, ['interface']);
  return (by) => count({ interface: by });
}

/** Serves `GET /api/reviews/search` (contract, section 4.5). */
export function serveSearch(event: H3Event, edition: Edition): Response {
  const parsed = parseSearchParameters(event.url.searchParams);
  if ('issues' in parsed) {
    return errorResponse(400, invalidParameters(parsed.issues));
  }
  const { filters, ignored } = parsed;
  const etag = searchETag(edition.id, filters, ignored);
  const { headers } = event.req;
  if (isNotModified(headers.get('if-none-match'), null, { etag })) {
    return respond(
      304,
      [['etag', etag], ...HEADERS.filter(([name]) => name !== 'content-type')],
      null,
    );
  }
  const { search } = edition;
  const body = searchAnswer(search.lines, filters, search.search(filters), ignored);
  const length = String(body.length);
  return respond(
    200,
    [['etag', etag], ['content-length', length], ...HEADERS],
    event.req.method === 'HEAD' ? null : body,
  );
}

/** The same edition and query always give the same answer, so their hash is a valid ETag. */
function searchETag(edition: string, filters: SearchFilters, ignored: readonly string[]): string {
  const question = JSON.stringify([edition, filters, ignored]);
  return `"${hash('sha256', question, 'base64url').slice(0, 27)}"`;
}
