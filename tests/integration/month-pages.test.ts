import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthPath } from '../../src/paths.ts';
import { BASE, bistroEdition, COUNT, MONTH, SITE } from '../support/bistro-edition.ts';
import { readDataset } from '../support/edition.ts';
import { elements, textOf } from '../support/html.ts';
import { attributeValues, readPages, visibleText } from '../support/pages.ts';

const { client } = await bistroEdition();
const { reviews } = await readDataset(client);
const ids = reviews.filter(({ date }) => date.startsWith(MONTH)).map(({ id }) => id);
/** Newest first. */
const months = [...new Set(reviews.map(({ date }) => date.slice(0, 7)))];
const pages = await readPages(client);
const html = new Map(
  pages.flatMap(({ path, html }) => (path.startsWith(monthPath(MONTH)) ? [[path, html]] : [])),
);

test('a month of 205 reviews has three pages with 100 reviews at most', () => {
  const paths = [1, 2, 3].map((page) => monthPath(MONTH, page));
  assert.deepEqual([...html.keys()].sort(), paths);
  const cards = paths.map((path) => html.get(path)!.match(/<article class="review box"/g)!.length);
  assert.deepEqual(cards, [100, 100, 5]);
});

test('every review of the month is on one of its pages, newest first', () => {
  const inTurn = [1, 2, 3].map((page) => html.get(monthPath(MONTH, page))!);
  const shown = inTurn.flatMap((page) =>
    [...page.matchAll(/<article .*?href="\/our\/reviews\/reviews\/([0-9A-Z]{26})\/"/gs)].map(
      ([, id]) => id,
    ),
  );
  assert.deepEqual(shown, ids);
});

test('each page leads to the others', () => {
  for (const [path, page] of html) {
    const hrefs = attributeValues(page, 'href');
    for (const other of html.keys()) assert.ok(hrefs.includes(BASE + other), `${path} to ${other}`);
    assert.ok(page.includes(`<link rel="canonical" href="${SITE}${path}">`));
  }
});

test('the month before and the one after have reviews, and are named by their direction', () => {
  const at = months.indexOf(MONTH);
  const links = elements(html.get(monthPath(MONTH))!, 'a').filter(({ attributes }) =>
    /^(prev|next)$/.test(attributes.rel ?? ''),
  );
  const found = links.map(({ attributes: { rel, href } }) => [rel, href]);
  const [older, newer] = [months[at + 1], months[at - 1]];
  assert.ok(older ?? newer);
  assert.deepEqual(found, [
    ...(older ? [['prev', BASE + monthPath(older)]] : []),
    ...(newer ? [['next', BASE + monthPath(newer)]] : []),
  ]);
});

test('labels praise and criticism in the language of the page', () => {
  for (const [tag, shown] of [
    ['', /2\.4 of 10 .* Liked The door\. Disliked The stairs\. /],
    ['/de', /2,4 von 10 .* Hat gefallen The door\. Hat nicht gefallen The stairs\. /],
  ] as const) {
    const page = pages.find(({ path }) => path === tag + monthPath(MONTH, 3))!;
    assert.match(visibleText(page.html), shown);
  }
});

test('beside the reviews are filters of the month, with as many reviews as they say', () => {
  const page = html.get(monthPath(MONTH))!;
  const links = elements(page, 'a').filter(({ attributes }) =>
    attributes.href?.startsWith(`${BASE}/search/?since=${MONTH}-01&until=${MONTH}-28&rating=`),
  );
  assert.deepEqual(
    links.map(({ inner }) => textOf(inner).trim()),
    [5, 4, 3, 2, 1].map((stars) => `${stars} ${stars === 1 ? 'star' : 'stars'} ${COUNT / 5}`),
  );
  assert.doesNotMatch(page, /has_reply=/, 'a filter that all reviews pass');
});
