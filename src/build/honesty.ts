import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { METHOD_PATH, SEARCH_PAGE_PATH } from '../paths.ts';

/** A page as it is published. */
export interface HtmlPage {
  /** Its address, e.g. `/faq/`. */
  path: string;
  html: string;
}

/** Reads the pages of a folder. */
export async function readPages(folder: string): Promise<HtmlPage[]> {
  const files = globSync('**/*.html', { cwd: folder });
  return Promise.all(
    files.sort().map(async (file) => ({
      path: `/${file
        .split(sep)
        .join('/')
        .replace(/index\.html$/, '')}`,
      html: await readFile(join(folder, file), 'utf8'),
    })),
  );
}

/** Clicks within which critical reviews can be read from every page. */
const MOST_CLICKS = 2;

/** A search that leads to reviews of one or two stars. */
const CRITICAL_SEARCH = new RegExp(`^${SEARCH_PAGE_PATH}\\?(?:.*&)?(?:max_)?rating=[12](?:&|$)`);
const AVERAGE = /\b[1-5]\.\d\d of 5\b|class="score\b/;
const WRONG_PLURAL = /\b1 (?:reviews|stars|quotes|questions|platforms|months|replies)\b/;
const EMPTY_SECTION = /<h([23])\b[^>]*>((?:(?!<h).)*?)<\/h\1>\s*<\/section>/s;
/** Words of customers, and examples of code. */
const NOT_OURS = /<(article|blockquote|pre|title)\b.*?<\/\1>/gs;

/**
 * Checks the promises of the site on its pages: an average says where to read what it leaves out,
 * critical reviews are near, and no section or menu entry is empty.
 *
 * @param hasCritical tells whether any published review has one or two stars
 * @returns an issue a line, which names the page; none if all is well
 */
export function checkHonesty(pages: readonly HtmlPage[], hasCritical: boolean): string[] {
  const paths = new Set([...pages.map(({ path }) => path), SEARCH_PAGE_PATH]);
  const own = pages.map(({ path, html }) => ({ path, html: html.replace(NOT_OURS, '<$1>…</$1>') }));
  const issues = own.flatMap(({ path, html }) => [
    ...(AVERAGE.test(html) && !html.includes(`href="${METHOD_PATH}#left-out"`)
      ? [`${path}: shows an average without a link to what it leaves out`]
      : []),
    ...found(html, WRONG_PLURAL).map((text) => `${path}: "${text}"`),
    ...found(html, EMPTY_SECTION, 2).map((title) => `${path}: nothing under "${title.trim()}"`),
    ...menuOf(html)
      .filter((entry) => !paths.has(entry))
      .map((entry) => `${path}: the menu leads to ${entry}, which is no page`),
  ]);
  return hasCritical ? [...issues, ...farFromCritical(pages)] : issues;
}

/** Finds pages from which critical reviews are too many clicks away. */
function farFromCritical(pages: readonly HtmlPage[]): string[] {
  const links = new Map(pages.map(({ path, html }) => [path, linksOf(html)]));
  let near = new Set(
    [...links].filter(([, all]) => all.some(isCriticalSearch)).map(([path]) => path),
  );
  for (let clicks = 1; clicks < MOST_CLICKS; clicks++) {
    const next = [...links].filter(([, all]) => all.some((link) => near.has(link)));
    near = new Set([...near, ...next.map(([path]) => path)]);
  }
  return [...links.keys()]
    .filter((path) => !near.has(path))
    .map((path) => `${path}: critical reviews are more than ${MOST_CLICKS} clicks away`);
}

function isCriticalSearch(link: string): boolean {
  return CRITICAL_SEARCH.test(link);
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href]) =>
    href!.replaceAll('&amp;', '&').replaceAll('&#38;', '&').replace(/#.*$/s, ''),
  );
}

function menuOf(html: string): string[] {
  const menu = /<nav aria-label="Site">.*?<\/nav>/s.exec(html)?.[0] ?? '';
  return linksOf(menu);
}

function found(html: string, pattern: RegExp, group = 0): string[] {
  const match = pattern.exec(html);
  return match ? [match[group]!] : [];
}
