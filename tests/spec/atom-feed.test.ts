import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { XmlElement } from '@rgrove/parse-xml';
import { child, children, parseDocument } from '../support/parse-xml.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, section 4.4, and RFC 4287, for the feed and its archives.

/** RFC 4287, section 3.3. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const textOf = (element: XmlElement, name: string) => child(element, name).text;
const timeOf = (element: XmlElement, name: string) => Date.parse(textOf(element, name));
const entriesOf = (root: XmlElement) => children(root, 'entry');

/** Returns the addresses of links without a rel. */
const linksOf = (element: XmlElement) =>
  children(element, 'link')
    .filter(({ attributes }) => attributes.rel === undefined)
    .map(({ attributes }) => attributes.href);

forEachTarget((target) => {
  let xml: string;
  let feed: XmlElement;
  let archives: XmlElement[];

  before(async () => {
    const read = async (path: string) => (await target.fetch(path)).text();
    xml = await read('/feed.xml');
    feed = parseDocument(xml);
    const { resources } = await target.manifest();
    const paths = resources
      .map(({ path }) => path)
      .filter((path) => /^\/feed\/.*\.xml$/.test(path));
    archives = (await Promise.all(paths.map(read))).map(parseDocument);
  });

  test('is an Atom feed with an id, a title and the time of its newest change', async () => {
    assert.match(
      xml,
      /^<\?xml version="1\.0" encoding="utf-8"\?>\s*<\?xml-stylesheet [^>]+\?>\s*<!--[^>]+-->\s*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom" xml:lang="[\w-]+">/,
    );
    for (const root of [feed, ...archives]) {
      assert.equal(root.attributes.xmlns, 'http://www.w3.org/2005/Atom');
      assert.equal(textOf(root, 'id'), textOf(feed, 'id'));
      assert.ok(URL.canParse(textOf(root, 'id')));
      assert.notEqual(textOf(root, 'title').trim(), '');
      assert.match(textOf(root, 'updated'), RFC_3339);
      assert.notEqual(textOf(child(root, 'author'), 'name'), '');
    }
    const { updated_at: updatedAt } = await target.dataset();
    assert.equal(timeOf(feed, 'updated'), Date.parse(updatedAt));
  });

  test('carries the same reviews as the JSON Feed, in the same order, under the same ids', async () => {
    const { items } = await target.json<{ items: { id: string; url: string }[] }>('/api/feed.json');
    const entries = entriesOf(feed).map((entry) => [textOf(entry, 'id'), ...linksOf(entry)]);
    const same = items.map(({ id, url }) => [id, url]);
    assert.deepEqual(entries, same);
  });

  test('every entry has exactly one id, title, time and text, and an author', () => {
    for (const entry of [feed, ...archives].flatMap(entriesOf)) {
      assert.ok(URL.canParse(textOf(entry, 'id')));
      assert.notEqual(textOf(entry, 'title').trim(), '');
      for (const name of ['updated', 'published']) assert.match(textOf(entry, name), RFC_3339);
      assert.notEqual(textOf(child(entry, 'author'), 'name'), '');
      assert.equal(child(entry, 'content').attributes.type, 'html');
      for (const name of ['title', 'summary']) {
        assert.equal(child(entry, name).attributes.type, 'text');
      }
      assert.equal(linksOf(entry).length, 1);
      for (const category of children(entry, 'category')) assert.ok(category.attributes.term);
    }
  });

  test('says its language, and that of each entry', async () => {
    const { reviews } = await target.dataset();
    const byUrl = new Map(reviews.map((review) => [review.url, review]));
    const { language } = await target.json<{ language: string }>('/api/feed.json');
    for (const root of [feed, ...archives]) {
      assert.equal(root.attributes['xml:lang'], language);
      for (const entry of entriesOf(root)) {
        const { language } = byUrl.get(linksOf(entry)[0]!)!;
        assert.equal(entry.attributes['xml:lang'], language);
      }
    }
  });

  test('has no element that RFC 4287 and RFC 5005 do not know', () => {
    for (const entry of [feed, ...archives].flatMap(entriesOf)) {
      for (const { attributes } of entry.children as XmlElement[]) {
        assert.ok(!attributes?.xmlns, JSON.stringify(attributes));
      }
    }
  });

  test('an entry has the times of its review, and an archive the newest of its own', async () => {
    const { reviews } = await target.dataset();
    const byUrl = new Map(reviews.map((review) => [review.url, review]));
    for (const root of [feed, ...archives]) {
      const times = entriesOf(root).map((entry) => {
        const { date, updated_at: updatedAt } = byUrl.get(linksOf(entry)[0]!)!;
        assert.equal(timeOf(entry, 'updated'), Date.parse(updatedAt));
        assert.equal(textOf(entry, 'published').slice(0, 10), date);
        return Date.parse(updatedAt);
      });
      if (root !== feed) assert.equal(timeOf(root, 'updated'), Math.max(...times));
    }
  });
});
