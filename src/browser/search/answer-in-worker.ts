import { datasetMetadata, pageSite, reviewLines } from '../../dataset/document.ts';
import { basePath, REVIEW_LABELS_PATH, REVIEWS_PATH, SEARCH_PAGE_PATH } from '../../paths.ts';
import type { EditionNames } from '../../search/filter-names.ts';
import { searchIndexOf } from '../../search/search-index.ts';
import { searchView } from '../../search/search-view.ts';

/** The knowledge of the program of one edition, besides the documents that it reads. */
interface SearchedSite {
  baseUrl: string;
  /** The id of the dataset. */
  edition: string;
  names: EditionNames;
  /** Words that pages show, besides the dataset. */
  words: object;
  renderHtml: (path: string, locals: object) => Promise<string>;
}

/** Returns the search page of a query string, as the sidecar renders it. @param prefix of the language, e.g. `/es` */
type SearchPages = (query: string, prefix?: string) => Promise<string>;

/** @param reviews the bytes of reviews.json @param labels those of review-labels.json */
export function searchOf(site: SearchedSite, reviews: Uint8Array, labels: Uint8Array): SearchPages {
  const { baseUrl, names, words, renderHtml } = site;
  const lines = reviewLines(reviews);
  const metadata = datasetMetadata(lines);
  if (metadata.edition !== site.edition)
    throw new Error('the reviews have changed: reload the page');
  const index = searchIndexOf({ lines, names, labels, site: words });
  const shown = pageSite(metadata, baseUrl, words);
  return (query, prefix = '') => {
    const search = searchView(new URLSearchParams(query), index);
    return renderHtml(prefix + SEARCH_PAGE_PATH, { search, site: shown });
  };
}

/** Answers the searches of the page that started this worker, each with its page or a failure. */
export function answerInWorker(site: SearchedSite): void {
  let loaded = 0;
  const load = async (path: string): Promise<Uint8Array> => {
    // At any origin, as from a folder on a stick; caches may have the document of another edition.
    const response = await fetchOnce(`${basePath(site.baseUrl)}${path}?edition=${site.edition}`);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    // WebKit cannot iterate a body before Safari 26.4.
    const reader = response.body!.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      loaded += piece.value.length;
      send({ loaded });
      pieces.push(piece.value);
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  };
  const answer = Promise.all([load(REVIEWS_PATH), load(REVIEW_LABELS_PATH)]).then(
    ([reviews, labels]) => searchOf(site, reviews, labels),
  );
  self.addEventListener(
    'message',
    ({ data }: MessageEvent<{ id: number; query: string; prefix: string }>) => {
      const { id, query, prefix } = data;
      answer
        .then((search) => search(query, prefix))
        .then(
          (html) => send({ id, html }),
          (error: Error) => send({ id, failure: error.message }),
        );
    },
  );
}

/** Fetches a document of an edition, and keeps it for the next visit where the browser can. */
async function fetchOnce(address: string): Promise<Response> {
  if (!('caches' in globalThis)) return fetch(address); // as without https
  const cache = await caches.open(`reviews of ${address.split('?')[0]}`);
  const kept = await cache.match(address);
  if (kept) return kept;
  const response = await fetch(address);
  if (response.ok) {
    for (const former of await cache.keys()) await cache.delete(former);
    // A full disk is no reason to find nothing.
    cache.put(address, response.clone()).catch(() => {});
  }
  return response;
}

function send(message: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page
  self.postMessage(message);
}
