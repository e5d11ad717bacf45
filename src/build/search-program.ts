import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { RenderPage } from '../page-renderer.ts';
import { listPath, SEARCH_PAGE_PATH, SEARCH_WORKER_PATH, type ListFilter } from '../paths.ts';
import { searchIndexOf, type SearchIndex } from '../search/search-index.ts';
import { searchView, type SearchView } from '../search/search-view.ts';
import { pageSite } from '../dataset/document.ts';
import { BUNDLE_TARGET } from './bundle.ts';
import type { CodeInside } from './code-inside.ts';
import type { Publication } from './publication.ts';
import { putFile } from './put-file.ts';

const ANSWER_IN_WORKER = fileURLToPath(
  new URL('../browser/search/answer-in-worker.ts', import.meta.url),
);

/** Writes the search of a site without a sidecar: its page, and the program that runs in browsers. */
export async function writeSearch(
  folder: string,
  server: string,
  publication: Publication,
  render: RenderPage,
  code: CodeInside,
): Promise<void> {
  const index = searchIndexOf(publication);
  const site = pageSite(publication.dataset, publication.baseUrl, publication.site);
  const prefixes = ['', ...(publication.site.languages ?? []).map((tag) => `/${tag}`)];
  const carried = publication.dataset.reviews.slice(0, CARRIED);
  const search = searchView(new URLSearchParams(), index);
  for (const prefix of prefixes) {
    const path = prefix + SEARCH_PAGE_PATH;
    const page = await render(path, { search, site, carried });
    await code.write(`${path.slice(1)}index.html`, page.toString().replaceAll(PRELOAD, ''));
  }
  const writeView = async (path: string, search: SearchView) => {
    for (const prefix of prefixes) {
      const page = await render(prefix + SEARCH_PAGE_PATH, { search, site });
      putFile(join(folder, prefix + path, 'index.html'), page);
    }
  };
  for (const value of ['5', '4', '3', '2', '1']) await writeList(index, 'rating', value, writeView);
  for (const { id } of publication.names.aspects ?? [])
    await writeList(index, 'aspect', id, writeView);
  await bundleProgram(folder, server, publication);
}

/** Fonts, which would take the time of the reviews that the search page carries. */
const PRELOAD = /<link rel="preload"[^>]*>/g;
/** Newest reviews that the search page carries: as many as a slow phone reads in half a second. */
const CARRIED = 200;
/** Reviews on one page of a list. */
const LIST_PAGE_LENGTH = 100;

/** Writes the reviews that pass a filter, so that they can be read without a script. */
async function writeList(
  index: SearchIndex,
  name: ListFilter,
  value: string,
  write: (path: string, search: SearchView) => Promise<void>,
): Promise<void> {
  const search = searchView(new URLSearchParams({ [name]: value }), index);
  const asked = new URLSearchParams({ [name]: value, limit: String(LIST_PAGE_LENGTH) });
  for (let page = 1; ; page++) {
    const { found } = searchView(asked, index);
    const next = found!.next && `${name}=${value}&page=${page + 1}`;
    await write(listPath(name, value, page), {
      ...search,
      found: { ...search.found!, reviews: found!.reviews, next },
    });
    if (!found!.next) return;
    asked.set('cursor', new URLSearchParams(found!.next).get('cursor')!);
  }
}

/** Bundles the code that renders pages with the search, as one module. */
async function bundleProgram(
  folder: string,
  server: string,
  { baseUrl, dataset, names, site }: Publication,
): Promise<void> {
  const known = { baseUrl, edition: dataset.edition, names, words: site };
  const entry = join(server, 'search-worker.mjs');
  const lines = [
    `import { renderHtml } from './entry.mjs';`,
    `import { answerInWorker } from ${JSON.stringify(ANSWER_IN_WORKER)};`,
    `answerInWorker({ ...${JSON.stringify(known)}, renderHtml });`,
  ];
  putFile(entry, lines.join('\n'));
  await build({
    configFile: false,
    envDir: false,
    logLevel: 'silent',
    define: { 'process.env': '{}' },
    build: {
      target: BUNDLE_TARGET,
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: entry,
        output: { entryFileNames: SEARCH_WORKER_PATH.slice(1), codeSplitting: false },
      },
    },
  });
  await rm(entry);
}
