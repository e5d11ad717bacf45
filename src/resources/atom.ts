import { Feed } from 'feed';
import { starredTitle } from '../dataset/review-document.ts';
import { ATOM_PATH, ATOM_TYPE, basePath } from '../paths.ts';
import type { Wording } from '../messages/wording.ts';
import type { Review } from '../schema/review.ts';
import {
  entryHtml,
  entryId,
  entrySummary,
  escapeHtml,
  FEED_LENGTH,
  feedSource,
  xmlSafe,
  type FeedSource,
} from './feed.ts';
import { feedArchives, type FeedArchive } from './feed-archives.ts';
import { DAY, documentResource } from './resource.ts';

export const ATOM_FEED = documentResource({
  id: 'getAtomFeed',
  path: ATOM_PATH,
  type: ATOM_TYPE,
  tag: 'Feeds',
  title: 'The newest reviews as an Atom feed',
  description:
    'Atom 1.0 (RFC 4287) of the same 50 reviews; prev-archive (RFC 5005) leads to the older ones. A topic. A browser that opens it gets the same bytes as application/xml.',
  build: (source) => buildAtomFeed(feedSource(source)),
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
      build: (source) => buildAtomArchive(feedSource(source), archive),
    })),
});

function archivePath(from: string): string {
  return `/feed/${from}.xml`;
}

/** Writes an Atom 1.0 feed (RFC 4287) of the newest reviews. All its times come from the data. */
export function buildAtomFeed(source: FeedSource): string {
  const [archive] = feedArchives(source.reviews);
  return write(source, {
    path: ATOM_PATH,
    hub: source.hub,
    updated: source.updated,
    reviews: source.reviews.slice(0, FEED_LENGTH),
    history: archive ? previousLink(source, archive.from) : [historyMark('complete')],
  });
}

/** Writes an archive of the feed (RFC 5005, section 4). */
export function buildAtomArchive(
  source: FeedSource,
  { from, reviews, previous }: FeedArchive,
): string {
  return write(source, {
    path: archivePath(from),
    updated: reviews.map(({ updated_at: time }) => time).reduce((a, b) => (a > b ? a : b)),
    reviews,
    history: [
      historyMark('archive'),
      link('current', source.siteUrl + ATOM_PATH),
      ...previousLink(source, previous),
    ],
  });
}

/** Parts in which a feed and its archives differ. */
interface Part {
  path: string;
  hub?: string | null;
  updated: string;
  reviews: readonly Review[];
  /** Elements by which readers find the other documents (RFC 5005). */
  history: readonly string[];
}

function write(source: FeedSource, { path, hub, updated, reviews, history }: Part): string {
  const { terms, url: licenseUrl } = source.license;
  const elements = [...(licenseUrl === null ? [] : [link('license', licenseUrl)]), ...history];
  const feed = new Feed({
    id: `${source.siteUrl}/`,
    title: xmlText(source.title),
    description: xmlText(source.description),
    updated: new Date(updated),
    link: `${source.siteUrl}/`,
    feed: source.siteUrl + path,
    ...(hub && { hub }),
    author: { name: xmlText(source.title) },
    generator: false,
    copyright: xmlText(terms),
  });
  for (const review of reviews) feed.addItem(atomEntry(review, source.words));
  const entries = reviews.values();
  const written = feed
    .atom1()
    .replace(/^<\?xml .*?\?>/, (declaration) => `${declaration}\n${stylesheet(source)}`)
    .replace(/<feed [^>]*>/, (start) => [start, ...elements].join('\n    '))
    .replaceAll(
      '</entry>',
      (end) => `    ${linkForPeople(entries.next().value!, source.words)}\n    ${end}`,
    );
  return `${written}\n`;
}

/** For people who open the feed in a browser (https://www.w3.org/TR/xml-stylesheet/). */
const stylesheet = ({ siteUrl, words }: FeedSource) =>
  `<?xml-stylesheet type="text/css" href="${basePath(siteUrl)}/feed.css"?>
<!-- ${words.t('feed.note')} -->`;

/** Writes a link that browsers show; feed readers pass over it (RFC 4287, section 6). */
function linkForPeople({ date, url }: Review, { dayName }: Wording): string {
  return `<a xmlns="http://www.w3.org/1999/xhtml" href="${escapeHtml(url)}">${dayName(date)}</a>`;
}

function previousLink({ siteUrl }: FeedSource, previous: string | undefined): string[] {
  return previous === undefined ? [] : [link('prev-archive', siteUrl + archivePath(previous))];
}

function link(rel: string, href: string): string {
  return `<link rel="${rel}" href="${escapeHtml(href)}"/>`;
}

/** Marks a document that has every entry of the feed, or an archive (RFC 5005, sections 2 and 4). */
function historyMark(name: 'complete' | 'archive'): string {
  return `<fh:${name} xmlns:fh="http://purl.org/syndication/history/1.0"/>`;
}

function atomEntry(review: Review, words: Wording): Parameters<Feed['addItem']>[0] {
  return {
    id: entryId(review),
    link: review.url,
    title: xmlSafe(
      escapeHtml(starredTitle(review, words.t('review.by_name', { author: review.author }))),
    ),
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
