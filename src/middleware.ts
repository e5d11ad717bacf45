import { currentPublication } from 'virtual:publication';
import { defineMiddleware } from 'astro:middleware';
import { pageSite } from './dataset/document.ts';
import { wordingOf } from './messages/wording.ts';
import { basePath, DEVELOPERS_PATH, isTranslated, listPath, type ListFilter } from './paths.ts';

/**
 * Puts the path of the site before the addresses of its pages, so that no page needs to know where the
 * site lies, and gives the pages their words; those for developers are in English. Texts cannot be mistaken
 * for attributes: Astro writes their quotation marks as `&quot;`.
 */
export const onRequest = defineMiddleware(async ({ locals, url }, next) => {
  const isForDevelopers = url.pathname.startsWith(DEVELOPERS_PATH);
  locals.site ??= builtSite();
  const further = locals.site.languages?.find((tag) => url.pathname.startsWith(`/${tag}/`));
  locals.prefix = further === undefined ? '' : `/${further}`;
  locals.words = wordingOf(isForDevelopers ? 'en' : (further ?? locals.site.language));
  const response = await inLanguage(await next(), locals.prefix);
  if (import.meta.env.DEV) return response;
  const { baseUrl, files_only: filesOnly } = locals.site;
  const base = basePath(baseUrl);
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if ((base === '' && !filesOnly) || !isPage) return response;
  const text = await response.text();
  const html = filesOnly ? text.replace(SEARCH_OF_ONE, linkToList) : text;
  if (base === '') return new Response(html, response);
  // Astro itself writes the addresses of assets.
  const address = new RegExp(
    ` (href|src|action|data-worker|data-mcp)="/(?!/|${base.slice(1)}/(_astro|styles)/)`,
    'g',
  );
  return new Response(html.replace(address, ` $1="${base}/`), response);
});

/** Makes links to pages that every language has lead to those of one; the choice of languages stays. */
async function inLanguage(response: Response, prefix: string): Promise<Response> {
  if (prefix === '') return response;
  const html = (await response.text()).replace(
    /(?<! hreflang="[\w-]+") (href|action)="(\/[^"]*)"/g,
    (link, name, address) => (isTranslated(address) ? ` ${name}="${prefix}${address}"` : link),
  );
  return new Response(html, response);
}

function builtSite(): App.Locals['site'] {
  const { baseUrl, dataset, site } = currentPublication();
  return pageSite(dataset, baseUrl, site);
}

/** The address of a search by one filter that has a list, or of a page of the list. */
const SEARCH_OF_ONE =
  / href="((?:https?:[^"?]*|\/\w\w)?)\/search\/\?(rating|aspect)=([\w-]+)(?:&#38;page=(\d+))?"/g;

function linkToList(_: string, site: string, name: string, value: string, page = '1'): string {
  return ` href="${site}${listPath(name as ListFilter, value, Number(page))}"`;
}
