import type { H3Event } from 'h3';
import { searchView, type SearchView } from '../../src/search/search-view.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { CACHE_SEARCH, pageHeaders, type HeaderPairs } from '../../src/http.ts';
import { SEARCH_PAGE_PATH } from '../../src/paths.ts';
import type { Edition } from '../edition/edition.ts';
import type { RenderPage } from '../pages/renderer.ts';
import { computedETag, respondCompressed, VARY } from './compress.ts';
import { endByCondition } from './responses.ts';

/** Serves `GET /search/`. A query with invalid parameters is a 400 that shows each at its field. */
export async function serveSearchPage(
  event: H3Event,
  edition: Edition,
  render: RenderPage,
): Promise<Response> {
  const { view, body } = await renderSearchPage(event.url.searchParams, edition, render);
  if (view.found === null) return respondCompressed(event, 400, headers('no-store'), body);
  const etag = computedETag(event, strongETag(body));
  const validated: HeaderPairs = [['etag', etag], ...headers(CACHE_SEARCH)];
  return (
    endByCondition(event, { etag }, () => [...validated, VARY]) ??
    respondCompressed(event, 200, validated, body)
  );
}

/** Renders the page of a query. */
export async function renderSearchPage(
  query: URLSearchParams,
  { metadata, manifest, search }: Edition,
  render: RenderPage,
): Promise<{ view: SearchView; body: Buffer }> {
  const view = searchView(query, search);
  const site = { baseUrl: manifest.base_url, business: metadata.business, ...manifest.site };
  return { view, body: await render(SEARCH_PAGE_PATH, { search: view, site }) };
}

function headers(cacheControl: string): HeaderPairs {
  return Object.entries({ ...pageHeaders(), 'cache-control': cacheControl });
}
