import { shiftDay } from '../../src/base/days.ts';
import { ARCHIVE_PATH, METHOD_PATH, SEARCH_PAGE_PATH } from '../../src/paths.ts';
import type { Review } from '../../src/schema/review.ts';
import type { PublishedPage } from './pages.ts';

type HtmlPage = Pick<PublishedPage, 'path' | 'html'>;

/** The facts that pages are checked against. */
type PublishedReview = Pick<Review, 'id' | 'date' | 'rating' | 'text'>;

/** Clicks within which critical reviews can be read from every page. */
const MAX_CLICKS = 2;

/** A search that leads to reviews of one or two stars. */
const CRITICAL_SEARCH = new RegExp(`^${SEARCH_PAGE_PATH}\\?(?:.*&)?(?:max_)?rating=[12](?:&|$)`);
const AVERAGE = /\b[1-5]\.\d\d of 5\b|class="score\b/;
/** A claim that is stronger than what was checked: a level is stated beside each review. */
const VERIFIED = /\bverified (?:customer |guest |patient )?reviews?\b/i;
/** Quotes on the home page are at most as old as this, beside the newest review. */
const FEATURED_DAYS = 2 * 365;
const MONTH_PAGE = new RegExp(`^${ARCHIVE_PATH}\\d{4}-\\d\\d/`);
const WRONG_PLURAL = /\b1 (?:reviews|stars|quotes|questions|platforms|months|replies)\b/;
const EMPTY_SECTION = /<h([23])\b[^>]*>((?:(?!<h).)*?)<\/h\1>\s*<\/section>/s;
/** Words of customers, and examples of code. */
const NOT_OURS = /<(article|blockquote|pre|title)\b.*?<\/\1>/gs;

/**
 * Checks the promises of the site on its pages: an average says where to read what it leaves out,
 * no words claim more than was checked, the months have every review once, critical reviews are on
 * the home page and near every other, featured quotes are new, and no section or menu entry is empty.
 *
 * @param reviews all published ones, newest first
 * @returns an issue a line, which names the page; none if all is well
 */
export function checkHonesty(
  pages: readonly HtmlPage[],
  reviews: readonly PublishedReview[],
): string[] {
  const paths = new Set([...pages.map(({ path }) => path), SEARCH_PAGE_PATH]);
  const own = pages.map(({ path, html }) => ({ path, html: html.replace(NOT_OURS, '<$1>…</$1>') }));
  const issues = own.flatMap(({ path, html }) => [
    ...(AVERAGE.test(html) && !html.includes(`href="${METHOD_PATH}#left-out"`)
      ? [`${path}: shows an average without a link to what it leaves out`]
      : []),
    ...(VERIFIED.test(html.replaceAll(NOT_OURS, ''))
      ? [`${path}: calls reviews verified, which claims more than was checked`]
      : []),
    ...found(html, /<bdi>Anonymous<\/bdi>/).map((text) => `${path}: ${text} is no name`),
    ...found(html, WRONG_PLURAL).map((text) => `${path}: "${text}"`),
    ...found(html, EMPTY_SECTION, 2).map((title) => `${path}: nothing under "${title.trim()}"`),
    ...menuOf(html)
      .filter((entry) => !paths.has(entry))
      .map((entry) => `${path}: the menu leads to ${entry}, which is no page`),
  ]);
  return [
    ...issues,
    ...homeIssues(pages, reviews),
    ...listIssues(pages, reviews),
    ...(reviews.some(isCritical) ? farFromCritical(pages) : []),
  ];
}

/** Finds featured quotes that are old, and a home page that shows good reviews alone. */
function homeIssues(pages: readonly HtmlPage[], reviews: readonly PublishedReview[]): string[] {
  const html = pages.find(({ path }) => path === '/')?.html ?? '';
  if (reviews.length === 0) return [];
  const since = shiftDay(reviews[0]!.date, -FEATURED_DAYS);
  const old = [...html.matchAll(/<figure class="quote.*?<time datetime="([^"]+)"/gs)]
    .map(([, date]) => date!)
    .filter((date) => date <= since);
  const cards = html.match(/<article\b.*?<\/article>/gs) ?? [];
  const showsCritical = cards.some((card) => /aria-label="[12] of 5 stars"/.test(card));
  const hasCritical = reviews.some((review) => isCritical(review) && review.text !== null);
  return [
    ...old.map((date) => `/: features a quote of ${date}, over two years before the newest review`),
    ...(hasCritical && !showsCritical ? ['/: shows no critical review'] : []),
  ];
}

/** Finds reviews that the pages of the months lack or repeat. */
function listIssues(pages: readonly HtmlPage[], reviews: readonly PublishedReview[]): string[] {
  const times = new Map(reviews.map(({ id }) => [id, 0]));
  for (const { path, html } of pages) {
    if (!MONTH_PAGE.test(path)) continue;
    for (const [, id] of html.matchAll(/<article\b.*?href="\/reviews\/([0-9A-Z]{26})\/"/gs)) {
      times.set(id!, (times.get(id!) ?? 0) + 1);
    }
  }
  const wrong = [...times].filter(([, count]) => count !== 1);
  if (wrong.length === 0) return [];
  const [id, count] = wrong[0]!;
  return [
    `${ARCHIVE_PATH}: ${wrong.length} of ${reviews.length} reviews are not listed once, e.g. ${id}, ${count} times`,
  ];
}

function isCritical({ rating }: Pick<Review, 'rating'>): boolean {
  return rating <= 2;
}

/** Finds pages from which critical reviews are too many clicks away. */
function farFromCritical(pages: readonly HtmlPage[]): string[] {
  const links = new Map(pages.map(({ path, html }) => [path, linksOf(html)]));
  let near = new Set(
    [...links]
      .filter(([, all]) => all.some((link) => CRITICAL_SEARCH.test(link)))
      .map(([path]) => path),
  );
  for (let clicks = 1; clicks < MAX_CLICKS; clicks++) {
    const next = [...links].filter(([, all]) => all.some((link) => near.has(link)));
    near = new Set([...near, ...next.map(([path]) => path)]);
  }
  return [...links.keys()]
    .filter((path) => !near.has(path))
    .map((path) => `${path}: critical reviews are more than ${MAX_CLICKS} clicks away`);
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
