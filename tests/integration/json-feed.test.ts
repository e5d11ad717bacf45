import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJsonFeed } from 'feedsmith';
import { feedSource } from '../../src/resources/feed.ts';
import {
  buildJsonFeed,
  type JsonFeedArchiveDocument,
  type JsonFeedDocument,
} from '../../src/resources/json-feed.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { dataset, review } from '../support/reviews.ts';

/**
 * The fields of JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/); extensions begin with `_`.
 */
const FEED_FIELDS =
  'version title home_page_url feed_url description user_comment next_url icon favicon author ' +
  'authors language expired hubs items';
const ITEM_FIELDS =
  'id url external_url title content_html content_text summary image banner_image ' +
  'date_published date_modified author authors tags language attachments';
const AUTHOR_FIELDS = 'name url avatar';

const client = await sampleEdition();
const sample = await readDataset(client);
const text = await readFile(join(client, 'api/feed.json'), 'utf8');
const feed = JSON.parse(text) as JsonFeedDocument;
const folder = join(client, 'api/feed');
const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
const archives = texts.map((each) => JSON.parse(each) as JsonFeedArchiveDocument);

function assertFields(object: object, known: string): void {
  const unknown = Object.keys(object).filter((key) => !key.startsWith('_'));
  assert.deepEqual(
    unknown.filter((key) => !known.split(' ').includes(key)),
    [],
  );
}

test('has the version, title and items that JSON Feed 1.1 requires, and no field it lacks', () => {
  for (const document of [feed, ...archives]) {
    assert.equal(document.version, 'https://jsonfeed.org/version/1.1');
    assert.equal(typeof document.title, 'string');
    assert.ok(Array.isArray(document.items));
    assertFields(document, FEED_FIELDS);
  }
});

test('has items with an id of their own, content, and RFC 3339 times', () => {
  assert.equal(new Set(feed.items.map(({ id }) => id)).size, feed.items.length);
  for (const item of [feed, ...archives].flatMap(({ items }) => items)) {
    assert.equal(typeof item.id, 'string');
    assert.ok(item.content_text !== '' && item.content_html !== '');
    for (const time of [item.date_published, item.date_modified]) {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
    for (const tag of item.tags) assert.equal(typeof tag, 'string');
    for (const author of item.authors) assertFields(author, AUTHOR_FIELDS);
    assertFields(item, ITEM_FIELDS);
  }
});

test('reads the same through a parser of feeds', () => {
  for (const document of [feed, ...archives]) {
    const parsed = parseJsonFeed(document);
    assert.equal(parsed.next_url, document.next_url);
    assert.deepEqual(
      parsed.items!.map(({ id, title, content_text }) => ({ id, title, content_text })),
      document.items.map(({ id, title, content_text }) => ({ id, title, content_text })),
    );
  }
  const parsed = parseJsonFeed(JSON.parse(text));
  assert.deepEqual(
    parsed.items!.map((item) => item.authors![0]!.name),
    sample.reviews.slice(0, 50).map(({ author }) => author),
  );
});

test('has words for a rating without words, and no field that is null', () => {
  const wordless = dataset([review({ text: null, rating: 4 })]);
  const source = feedSource({ dataset: wordless, baseUrl: 'https://a.example', hub: null });
  const [item] = buildJsonFeed(source).items;
  assert.match(item!.content_text, /4 of 5 stars/);
  assert.ok(!JSON.stringify(item).includes('null'));
});
