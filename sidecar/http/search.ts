import { hash } from 'node:crypto';
import type { H3Event } from 'h3';
import type { z } from 'zod';
import { countBody, searchAnswer } from '../../src/search/result.ts';
import type { Pieces } from '../../src/search/pieces.ts';
import { searchViewInPieces, type SearchView } from '../../src/search/search-view.ts';
import { givenArguments, readArguments } from '../../src/search/arguments.ts';
import { countFilters } from '../../src/schema/count.ts';
import { searchFilters } from '../../src/schema/search.ts';
import {
  CACHE_NOTHING,
  CACHE_SEARCH,
  dataHeaders,
  pageHeaders,
  type HeaderPairs,
} from '../../src/http.ts';
import { JSON_TYPE, SEARCH_PAGE_PATH, SEARCH_PATH } from '../../src/paths.ts';
import { invalidParameters } from '../../src/schema/error.ts';
import type { Edition } from '../edition/edition.ts';
import type { RenderPage } from '../../src/page-renderer.ts';
import { answerByBytes, answerComputed, variantFor } from './computed.ts';
import { errorResponse, respondSized, type Answer } from './responses.ts';
import type { Compute } from './turns.ts';

const HEADERS: HeaderPairs = Object.entries(dataHeaders(JSON_TYPE, CACHE_SEARCH));

/** Serves `GET /api/reviews/search` (contract, section 4.5). */
export function serveSearch(event: H3Event, edition: Edition, compute: Compute): Answer {
  return serve(event, edition, compute, searchFilters, function* (filters, ignored) {
    const { manifest, search } = edition;
    const matches = yield* search.searchInPieces(filters);
    yield;
    const body = Buffer.from(searchAnswer(search.lines, filters, matches, ignored).buffer);
    if (matches.next === undefined) return { body };
    const page = givenArguments(searchFilters, event.url.searchParams);
    page.delete('cursor');
    page.set('cursor', matches.next);
    const link = `<${manifest.base_url}${SEARCH_PATH}?${page}>; rel="next"`;
    return { body, headers: [['link', link]] };
  });
}

/** Serves `GET /api/reviews/count`. */
export function serveCount(event: H3Event, edition: Edition, compute: Compute): Answer {
  return serve(event, edition, compute, countFilters, function* (filters, ignored) {
    return { body: Buffer.from(yield* countBody(edition.search, filters, ignored)) };
  });
}

/**
 * Answers a question about the reviews, unless its parameters are invalid or the client knows the answer.
 *
 * @param answer returns the body, and headers that differ between spellings of a question
 */
async function serve<S extends z.ZodObject>(
  event: H3Event,
  edition: Edition,
  compute: Compute,
  schema: S,
  answer: (
    filters: z.output<S>,
    ignored: readonly string[],
  ) => Pieces<{ body: Buffer; headers?: HeaderPairs }>,
): Promise<Response> {
  const asked = await compute(function* () {
    const parsed = readArguments(schema, event.url.searchParams);
    if ('issues' in parsed) return errorResponse(400, invalidParameters(parsed.issues));
    const { args: filters, ignored } = parsed;
    // The same edition and question always give the same answer.
    const question = JSON.stringify([edition.digest, filters, ignored]);
    const tag = hash('sha256', question, 'base64url').slice(0, 27);
    const variant = variantFor(event, HEADERS, { etag: `"${tag}"` });
    if (variant instanceof Response) return variant;
    const { body, headers = [] } = yield* answer(filters, ignored);
    variant.headers.push(...headers);
    return { variant, body };
  });
  return asked instanceof Response ? asked : answerComputed(asked.variant, asked.body);
}

/** Serves `GET /search/`. A query with invalid parameters is a 400 that shows each at its field. */
export async function serveSearchPage(
  event: H3Event,
  edition: Edition,
  render: RenderPage,
  compute: Compute,
): Promise<Response> {
  const { pathname, searchParams } = event.url;
  const { view, body } = await renderSearchPage(searchParams, edition, render, compute, pathname);
  if (view.found !== null) return answerByBytes(event, pageHeadersFor(CACHE_SEARCH), body);
  return respondSized(400, pageHeadersFor(CACHE_NOTHING), body);
}

export async function renderSearchPage(
  query: URLSearchParams,
  edition: Edition,
  render: RenderPage,
  compute: Compute,
  path: string = SEARCH_PAGE_PATH,
): Promise<{ view: SearchView; body: Buffer }> {
  const view = await compute(() => searchViewInPieces(query, edition.search));
  const locals = { search: view, site: edition.site };
  return { view, body: await compute(() => render(path, locals)) };
}

function pageHeadersFor(cacheControl: string): HeaderPairs {
  return Object.entries({ ...pageHeaders(), 'cache-control': cacheControl });
}
