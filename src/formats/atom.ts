import { Feed } from 'feed';
import { ATOM_PATH } from '../paths.ts';
import type { Review } from '../schema/review.ts';
import {
  entryHtml,
  entryId,
  entrySummary,
  entryTitle,
  escapeHtml,
  FEED_LENGTH,
  xmlSafe,
  type FeedSource,
} from './feed.ts';

/** Writes an Atom 1.0 feed (RFC 4287) of the newest reviews. All its times come from the data. */
export function atomFeed(source: FeedSource): string {
  const feed = new Feed({
    id: `${source.siteUrl}/`,
    title: xmlText(source.title),
    description: xmlText(source.description),
    updated: new Date(source.updated),
    link: `${source.siteUrl}/`,
    feed: source.siteUrl + ATOM_PATH,
    hub: source.hubUrl,
    author: { name: xmlText(source.title) },
    generator: false,
  });
  for (const review of source.reviews.slice(0, FEED_LENGTH)) feed.addItem(atomEntry(review));
  return `${feed.atom1().replace(/^<\?xml .*?\?>/, (declaration) => `${declaration}\n${STYLESHEET}`)}\n`;
}

/** For people who open the feed in a browser (https://www.w3.org/TR/xml-stylesheet/). */
const STYLESHEET = `<?xml-stylesheet type="text/css" href="/feed.css"?>
<!-- This is a feed: copy its address into a feed reader, and new reviews come to you. -->`;

function atomEntry(review: Review): Parameters<Feed['addItem']>[0] {
  return {
    id: entryId(review),
    link: review.url,
    title: xmlSafe(escapeHtml(entryTitle(review))),
    description: xmlSafe(escapeHtml(entrySummary(review))),
    content: xmlSafe(entryHtml(review)),
    date: new Date(review.updated_at),
    published: new Date(`${review.date}T00:00:00Z`),
    author: [{ name: xmlText(review.author) }],
    category: [{ term: `${review.rating}-star`, name: `${review.rating} of 5 stars` }],
  };
}

/** Escapes ampersands once more, because the writer treats `&amp;` as already escaped. */
function xmlText(text: string): string {
  return xmlSafe(text).replaceAll('&amp;', '&amp;amp;');
}
