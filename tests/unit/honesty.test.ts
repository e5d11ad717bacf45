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

function issuesOf(html: string, path = '/'): string[] {
  return checkHonesty([{ path, html: MENU + html }, ARCHIVE, MONTH], [REVIEW]);
}

test('finds nothing on honest pages', () => {
  assert.deepEqual(issuesOf(`<section><h2>Ratings</h2><p>4.62 of 5</p></section>${LEFT_OUT}`), []);
});

test('finds an average that does not say what it leaves out', () => {
  for (const html of ['<p>4.62 of 5 on average.</p>', '<p class="score"><strong>4</strong></p>']) {
    assert.deepEqual(issuesOf(html, '/technicians/ada/'), [
      '/technicians/ada/: shows an average without a link to what it leaves out',
    ]);
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

test('finds headings over nothing, wrong plurals, and menu entries without a page', () => {
  assert.deepEqual(issuesOf('<section class="x"><h2 id="a">Staff <b>here</b></h2> </section>'), [
    '/: nothing under "Staff <b>here</b>"',
  ]);
  assert.deepEqual(issuesOf('<p>from 1 reviews</p>'), ['/: "1 reviews"']);
  assert.deepEqual(issuesOf('<p>from 21 reviews</p>'), []);
  const menu = '<nav aria-label="Site"><a href="/faq/">FAQ</a><a href="/search/">Search</a></nav>';
  assert.deepEqual(checkHonesty([{ path: '/', html: menu }], []), [
    '/: the menu leads to /faq/, which is no page',
  ]);
});

test('holds nobody to what customers wrote', () => {
  const text = 'They have 1 stars, 4.62 of 5';
  assert.deepEqual(issuesOf(`<article>${text}</article><blockquote>${text}</blockquote>`), []);
});

test('counts what customers wrote as content of a section', () => {
  assert.deepEqual(issuesOf('<section><h2>Praise</h2><article>Great.</article></section>'), []);
});

test('finds words that claim more than was checked, in what is read and in what is not', () => {
  const issue = '/faq/: calls reviews verified, which claims more than was checked';
  assert.deepEqual(issuesOf('<main><p>355 verified reviews</p></main>', '/faq/'), [issue]);
  const meta = '<meta name="description" content="Verified customer reviews"><main></main>';
  assert.deepEqual(issuesOf(meta, '/faq/'), [issue]);
  assert.deepEqual(issuesOf('<main><article>verified reviews</article></main>', '/faq/'), []);
});

test('finds featured quotes that are over two years older than the newest review', () => {
  const quote = (date: string) =>
    `<figure class="quote positive"><blockquote>Fine.</blockquote><time datetime="${date}"></time></figure>`;
  assert.deepEqual(issuesOf(quote('2024-05-15')), []);
  assert.deepEqual(issuesOf(quote('2024-05-14')), [
    '/: features a quote of 2024-05-14, over two years before the newest review',
  ]);
  assert.deepEqual(issuesOf(quote('2019-01-01'), '/faq/'), []);
});

test('finds a home page without a critical review, where one has words', () => {
  const told = { ...REVIEW, text: 'Two hours late.' };
  const check = (html: string, review: PublishedReview) =>
    checkHonesty([{ path: '/', html: CRITICAL + html }, MONTH], [review]);
  assert.deepEqual(check(cardOf({ ...told, rating: 5 }), told), ['/: shows no critical review']);
  assert.deepEqual(check(cardOf(told), told), []);
  assert.deepEqual(check('', REVIEW), []);
});

test('finds reviews that no month has, or that are listed twice', () => {
  const other = { ...REVIEW, id: ulidOf(2), rating: 5 };
  const home = { path: '/', html: CRITICAL };
  assert.deepEqual(checkHonesty([home, MONTH], [REVIEW, other]), [
    `/reviews/: 1 of 2 reviews are not listed once, e.g. ${other.id}, 0 times`,
  ]);
  const second = { path: '/reviews/2026-05/2/', html: MONTH.html };
  assert.deepEqual(checkHonesty([home, MONTH, second], [REVIEW]), [
    `/reviews/: 1 of 1 reviews are not listed once, e.g. ${REVIEW.id}, 2 times`,
  ]);
});
