import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import { readJson, sampleEdition } from '../support/edition.ts';
import { attributeValues, readPages, type PublishedPage } from '../support/pages.ts';

const client = await sampleEdition();
const pages = await readPages(client);
const insights = await readJson<InsightsDataset>(client, 'insights.json');
const negative = new Set(
  Object.entries(insights.per_review)
    .filter(([, { sentiment }]) => sentiment === 'negative')
    .map(([id]) => id),
);

/** Returns the reviews on a page: the id in the permalink, and the links. */
function reviewsOn({ html }: PublishedPage): { id: string; hrefs: string[] }[] {
  return html
    .split('<article class="review box"')
    .slice(1)
    .map((part) => {
      const hrefs = attributeValues(part.slice(0, part.indexOf('</article>')), 'href');
      const permalink = hrefs.find((href) => href.startsWith('/reviews/'))!;
      return { id: permalink.split('/')[2]!, hrefs };
    });
}

const named = ({ hrefs }: { hrefs: string[] }) =>
  hrefs.some((href) => href.startsWith('/technicians/'));

test('a review that blames never links to a technician, on any page', () => {
  const shown = pages.flatMap(reviewsOn);
  assert.ok(shown.some(({ id }) => negative.has(id)));
  assert.ok(shown.some(named));
  const blaming = shown.filter((review) => negative.has(review.id) && named(review));
  assert.deepEqual(blaming, []);
});

test('the page of a technician collects no review that blames, and links to the search for all', () => {
  const { technicians } = insights.entities;
  assert.ok(technicians.some(({ review_ids }) => review_ids.some((id) => negative.has(id))));
  for (const { id, review_ids } of technicians) {
    const page = pages.find(({ path }) => path === `/technicians/${id}/`)!;
    const ids = reviewsOn(page).map(({ id }) => id);
    assert.deepEqual(ids, review_ids.filter((reviewId) => !negative.has(reviewId)).slice(0, 20));
    assert.ok(attributeValues(page.html, 'href').includes(`/search/?mentions_technician=${id}`));
  }
});

test('each review has the word of its level, which its page explains once', () => {
  let marked = 0;
  for (const { path, html } of pages.filter(({ html }) =>
    html.includes('<article class="review'),
  )) {
    for (const article of html.split('<article class="review').slice(1)) {
      const byline = /author-line.*?<\/p>/s.exec(article)![0];
      assert.match(byline, /, stated\s*<\/span>/, path);
      marked++;
    }
    const explained = html.split('“stated” under a review: the business states that a customer');
    assert.equal(explained.length, 2, path);
  }
  assert.ok(marked > 500, `${marked} reviews`);
});

test('names are isolated, so that one in another direction reorders nothing around it', () => {
  const cited =
    /<a [^>]*href="\/reviews\/[0-9A-Z]{26}\/"[^>]*>\s*((?:[^<\s]|<bdi)(?:(?!<\/a>).)*?)<time/gs;
  let names = 0;
  for (const { path, html } of pages) {
    for (const [, name] of html.matchAll(cited)) {
      assert.match(name!, /^<bdi>[^<]+<\/bdi>,\s*$/, path);
      names++;
    }
    for (const article of html.split('<article class="review box"').slice(1)) {
      assert.match(article, /<bdi class="author">[^<]+<\/bdi>\s*on /, path);
      assert.doesNotMatch(article, /Review by (?!<bdi>)/, path);
      names++;
    }
  }
  assert.ok(names > 500, `${names} names`);
  const home = pages.find(({ path }) => path === '/')!;
  assert.match(
    home.html,
    /<h1[^>]*>\s*<span class="unseen">Reviews of <\/span>\s*<bdi>[^<]+<\/bdi>\s*<\/h1>/,
  );
});
