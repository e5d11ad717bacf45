import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHonesty, type HtmlPage, type PublishedReview } from '../support/honesty.ts';
import { ulidOf } from '../support/reviews.ts';

const LEFT_OUT = '<a href="/method/#left-out">What is left out</a>';
const MENU = '<nav aria-label="Site"><a href="/reviews/">Reviews</a></nav>';
const CRITICAL = '<a href="/search/?rating=1">1 star</a>';
const ARCHIVE = { path: '/reviews/', html: MENU + CRITICAL };

/** A critical review without words, and the page of its month. */
const REVIEW: PublishedReview = { id: ulidOf(1), date: '2026-05-14', rating: 1, text: null };
const MONTH = { path: '/reviews/2026-05/', html: cardOf(REVIEW) + CRITICAL };

function cardOf({ id, rating }: PublishedReview): string {
  return `<article><svg aria-label="${rating} of 5 stars"></svg><a href="/reviews/${id}/"></a></article>`;
}

function quoteOf(date: string): string {
  return `<figure class="quote positive"><blockquote>Fine.</blockquote><time datetime="${date}"></time></figure>`;
}

const CLAIM = '/faq/: calls reviews verified, which claims more than was checked';
const NO_LEFT_OUT = '/faq/: shows an average without a link to what it leaves out';
const WORDS = 'They have 1 stars, 4.62 of 5';

/** Pieces of a page at a path, and the issue that they are. */
const PAGES: [html: string, path: string, issue?: string][] = [
  [`<section><h2>Ratings</h2><p>4.62 of 5</p></section>${LEFT_OUT}`, '/'],
  ['<p>4.62 of 5 on average.</p>', '/faq/', NO_LEFT_OUT],
  ['<p class="score"><strong>4</strong></p>', '/faq/', NO_LEFT_OUT],
  ['<section><h2>Staff <b>here</b></h2> </section>', '/', '/: nothing under "Staff <b>here</b>"'],
  ['<p>from 1 reviews</p>', '/', '/: "1 reviews"'],
  ['<p>from 21 reviews</p>', '/'],
  // The words of customers are theirs, and fill a section.
  [`<article>${WORDS}</article><blockquote>${WORDS}</blockquote>`, '/'],
  ['<section><h2>Praise</h2><article>Great.</article></section>', '/'],
  ['<main><article>verified reviews</article></main>', '/faq/'],
  ['<main><p>355 verified reviews</p></main>', '/faq/', CLAIM],
  ['<meta name="description" content="Verified customer reviews"><main></main>', '/faq/', CLAIM],
  [quoteOf('2024-05-15'), '/'],
  [
    quoteOf('2024-05-14'),
    '/',
    '/: features a quote of 2024-05-14, over two years before the newest review',
  ],
  [quoteOf('2019-01-01'), '/faq/'],
];

test('finds pages that show too little, or claim too much', () => {
  for (const [html, path, issue] of PAGES) {
    const found = checkHonesty([{ path, html: MENU + html }, ARCHIVE, MONTH], [REVIEW]);
    assert.deepEqual(found, issue === undefined ? [] : [issue], html);
  }
});

test('finds pages that are more than two clicks from critical reviews', () => {
  const chain: HtmlPage[] = ['/a/', '/b/', '/c/'].map((path, at) => ({
    path,
    html: ['<a href="/b/">', '<a href="/c/">', '<a href="/search/?min_rating=4&max_rating=2">'][
      at
    ]!,
  }));
  assert.deepEqual(checkHonesty([...chain, MONTH], [REVIEW]), [
    '/a/: critical reviews are more than 2 clicks away',
  ]);
  assert.deepEqual(checkHonesty(chain, []), []);
  const praise = { path: '/', html: '<a href="/search/?min_rating=1">' };
  assert.equal(checkHonesty([praise, MONTH], [REVIEW]).length, 1);
});
