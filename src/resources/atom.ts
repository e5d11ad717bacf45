import { Feed } from 'feed';
import { ATOM_PATH, ATOM_TYPE, basePath } from '../paths.ts';
import { wordingOf, type Wording } from '../messages/wording.ts';
import type { Review } from '../schema/review.ts';
import {
  entryHtml,
  entryId,
  entrySummary,
  entryTitle,
  escapeHtml,
  feedArchives,
  newestPart,
  xmlSafe,
  type FeedPart,
  type FeedSource,
} from './feed.ts';
import { DAY, documentResource } from './resource.ts';

export const ATOM_FEED = documentResource({
  id: 'getAtomFeed',
  path: ATOM_PATH,
  type: ATOM_TYPE,
  tag: 'Feeds',
  title: 'The newest reviews as an Atom feed',
  description:
    'Atom 1.0 (RFC 4287) of the same 50 reviews; prev-archive (RFC 5005) leads to the older ones. A topic. A browser that opens it gets the same bytes as application/xml.',
  build: (source) => buildAtomFeed(source),
  example: 'The first entry',
});

export const ATOM_ARCHIVE = documentResource({
  id: 'getAtomArchive',
  path: archivePath('{from}'),
  type: ATOM_TYPE,
  tag: 'Feeds',
  title: 'An archive of the Atom feed',
  description:
    'Older reviews (RFC 5005, section 4); prev-archive of the feed and of each archive leads to the archive before. New reviews change no archive.',
  parameters: { from: DAY },
  instances: ({ dataset }) =>
    feedArchives(dataset.reviews).map((archive) => ({
      path: archivePath(archive.from),
      build: (source) => buildAtomFeed(source, archive),
    })),
});

function archivePath(from: string): string {
  return `/feed/${from}.xml`;
}

/** Writes an Atom 1.0 feed (RFC 4287) or an archive. All its times come from the data. */
export function buildAtomFeed(
  { baseUrl, dataset, hub, language }: FeedSource,
  part: FeedPart = newestPart(dataset.reviews),
): string {
  const { terms, url: licenseUrl } = dataset.license;
  const words = wordingOf(language);
  const { name } = dataset.business;
  const title = xmlText(words.t('page.reviews_of', { name }));
  const elements = [
    ...(licenseUrl === null ? [] : [link('license', licenseUrl)]),
    ...historyOf(part, baseUrl),
  ];
  const feed = new Feed({
    id: `${baseUrl}/`,
    title,
    description: xmlText(words.t('feed.description', { name })),
    updated: new Date(part.from === undefined ? dataset.updated_at : newestChange(part.reviews)),
    link: `${baseUrl}/`,
    feed: baseUrl + (part.from === undefined ? ATOM_PATH : archivePath(part.from)),
    ...(hub !== null && part.from === undefined && { hub }),
    author: { name: title },
    generator: false,
    copyright: xmlText(terms),
  });
  for (const review of part.reviews) feed.addItem(atomEntry(review, words));
  const entries = part.reviews.values();
  const written = feed
    .atom1()
    .replace(/^<\?xml .*?\?>/, (declaration) => `${declaration}\n${stylesheet(baseUrl, words)}`)
    .replace(/<feed ([^>]*)>/, (_, namespace) =>
      [`<feed ${namespace} xml:lang="${words.language}">`, ...elements].join('\n    '),
    )
    .replaceAll('<entry>', () => `<entry xml:lang="${entries.next().value!.language}">`)
    // Half of all readers show the entities of a title that is HTML.
    .replaceAll(/<(title|summary) type="html"><!\[CDATA\[([^<]*)\]\]>/g, '<$1 type="text">$2');
  return `${written}\n`;
}

function newestChange(reviews: readonly Review[]): string {
  return reviews.map(({ updated_at: time }) => time).reduce((a, b) => (a > b ? a : b));
}

/** Returns the elements by which readers find the other documents (RFC 5005, sections 2 and 4). */
function historyOf({ from, previous }: FeedPart, baseUrl: string): string[] {
  const older =
    previous === undefined ? [] : [link('prev-archive', baseUrl + archivePath(previous))];
  if (from !== undefined) {
    return [historyMark('archive'), link('current', baseUrl + ATOM_PATH), ...older];
  }
  return previous === undefined ? [historyMark('complete')] : older;
}

/** For people who open the feed in a browser (https://www.w3.org/TR/xml-stylesheet/). */
const stylesheet = (baseUrl: string, { t }: Wording) =>
  `<?xml-stylesheet type="text/css" href="${basePath(baseUrl)}/feed.css"?>
<!-- ${t('feed.note')} -->`;

function link(rel: string, href: string): string {
  return `<link rel="${rel}" href="${escapeHtml(href)}"/>`;
}

/** Marks a document that has every entry of the feed, or an archive. */
function historyMark(name: 'complete' | 'archive'): string {
  return `<fh:${name} xmlns:fh="http://purl.org/syndication/history/1.0"/>`;
}

function atomEntry(review: Review, words: Wording): Parameters<Feed['addItem']>[0] {
  return {
    id: entryId(review),
    link: review.url,
    title: xmlSafe(escapeHtml(entryTitle(review, words))),
    description: xmlSafe(escapeHtml(entrySummary(review, words))),
    content: xmlSafe(entryHtml(review, words)),
    date: new Date(review.updated_at),
    published: new Date(`${review.date}T00:00:00Z`),
    author: [{ name: xmlText(review.author) }],
    category: [
      {
        term: `${review.rating}-star`,
        name: words.t('stars.label', { rating: String(review.rating) }),
      },
    ],
  };
}

/** Escapes ampersands once more, because the writer treats `&amp;` as already escaped. */
function xmlText(text: string): string {
  return xmlSafe(text).replaceAll('&amp;', '&amp;amp;');
}
