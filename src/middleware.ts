import { currentPublication } from 'virtual:publication';
import { defineMiddleware } from 'astro:middleware';
import { pageSite } from './dataset/document.ts';
import { generalNouns } from './messages/general-nouns.ts';
import { wordingOf } from './messages/wording.ts';
import { basePath, DEVELOPERS_PATH, isTranslated, listPath, type ListFilter } from './paths.ts';

/** An address of this site in a page; that of the page in another language follows its `hreflang`. */
const ADDRESS = /( hreflang="[\w-]+")? (href|src|action|data-worker|data-mcp)="(\/(?!\/)[^"]*)"/g;

/**
 * Gives the pages their words; those for developers are in English. Puts the path of the site and the
 * language of the page before the addresses in it, so that no page needs to know where it lies. Texts
 * cannot be mistaken for attributes: Astro writes their quotation marks as `&quot;`.
 */
export const onRequest = defineMiddleware(async ({ locals, url }, next) => {
  const isForDevelopers = url.pathname.startsWith(DEVELOPERS_PATH);
  locals.site ??= builtSite();
  const { baseUrl, files_only: filesOnly, language, languages } = locals.site;
  const further = languages?.find((tag) => url.pathname.startsWith(`/${tag}/`));
  const prefix = further === undefined ? '' : `/${further}`;
  locals.prefix = prefix;
  locals.words = wordingOf(isForDevelopers ? 'en' : (further ?? language));
  if (further !== undefined) locals.site = { ...locals.site, ...generalNouns(locals.words) };
  const response = await next();
  const base = import.meta.env.DEV ? '' : basePath(baseUrl);
  const hasLists = filesOnly === true && !import.meta.env.DEV;
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if (!isPage || (base + prefix === '' && !hasLists)) return response;
  // Astro itself writes the addresses of assets.
  const assets = [`${base}/_astro/`, `${base}/styles/`];
  const html = (await response.text()).replace(ADDRESS, (whole, choice, name, path: string) => {
    if (assets.some((folder) => path.startsWith(folder))) return whole;
    const inLanguage = choice === undefined && isTranslated(path) ? prefix : '';
    return `${choice ?? ''} ${name}="${base}${inLanguage}${path}"`;
  });
  return new Response(hasLists ? html.replace(SEARCH_OF_ONE, linkToList) : html, response);
});

function builtSite(): App.Locals['site'] {
  const { baseUrl, dataset, site } = currentPublication();
  return pageSite(dataset, baseUrl, site);
}

/** The address of a search by one filter that has a list, or of a page of the list. */
const SEARCH_OF_ONE = / href="([^"?]*)\/search\/\?(rating|aspect)=([\w-]+)(?:&#38;page=(\d+))?"/g;

function linkToList(_: string, site: string, name: string, value: string, page = '1'): string {
  return ` href="${site}${listPath(name as ListFilter, value, Number(page))}"`;
}
