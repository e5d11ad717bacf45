import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHonesty, type HtmlPage } from '../../src/build/honesty.ts';

const LEFT_OUT = '<a href="/method/#left-out">What is left out</a>';
const MENU = '<nav aria-label="Site"><a href="/reviews/">Reviews</a></nav>';
const ARCHIVE = { path: '/reviews/', html: `${MENU}<a href="/search/?rating=1">1 star</a>` };

function issuesOf(html: string, path = '/'): string[] {
  return checkHonesty([{ path, html: MENU + html }, ARCHIVE], true);
}

test('finds nothing on honest pages', () => {
  assert.deepEqual(issuesOf(`<section><h2>Ratings</h2><p>4.62 of 5</p></section>${LEFT_OUT}`), []);
});

test('finds an average that does not say what it leaves out', () => {
  for (const html of ['<p>4.62 of 5 on average.</p>', '<p class="score"><strong>4</strong></p>']) {
    assert.deepEqual(issuesOf(html, '/reviews/2026-05/'), [
      '/reviews/2026-05/: shows an average without a link to what it leaves out',
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
  assert.deepEqual(checkHonesty(chain, true), [
    '/a/: critical reviews are more than 2 clicks away',
  ]);
  assert.deepEqual(checkHonesty(chain, false), []);
  const praise = { path: '/', html: '<a href="/search/?min_rating=1">' };
  assert.equal(checkHonesty([praise], true).length, 1);
});

test('finds headings over nothing, wrong plurals, and menu entries without a page', () => {
  assert.deepEqual(issuesOf('<section class="x"><h2 id="a">Staff <b>here</b></h2> </section>'), [
    '/: nothing under "Staff <b>here</b>"',
  ]);
  assert.deepEqual(issuesOf('<p>from 1 reviews</p>'), ['/: "1 reviews"']);
  assert.deepEqual(issuesOf('<p>from 21 reviews</p>'), []);
  const menu = '<nav aria-label="Site"><a href="/faq/">FAQ</a><a href="/search/">Search</a></nav>';
  assert.deepEqual(checkHonesty([{ path: '/', html: menu }], false), [
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
