import { currentPublication } from 'virtual:publication';
import { defineMiddleware } from 'astro:middleware';
import { basePath } from './paths.ts';

/**
 * Puts the path of the site before the addresses of its pages, so that no page needs to know where the
 * site lies. Texts cannot be mistaken for attributes: Astro writes their quotation marks as `&quot;`.
 */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  const response = await next();
  if (import.meta.env.DEV) return response;
  const base = basePath((locals.site ?? currentPublication()).baseUrl);
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if (base === '' || !isPage) return response;
  const html = await response.text();
  // Astro itself writes the addresses of assets.
  const address = new RegExp(` (href|src|action)="/(?!/|${base.slice(1)}/(_astro|styles)/)`, 'g');
  return new Response(html.replace(address, ` $1="${base}/`), response);
});
