import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonFeedDocument } from '../../src/resources/json-feed.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

// Contract, section 4.3, and https://www.jsonfeed.org/version/1.1/.

/** The fields of JSON Feed 1.1; extensions begin with `_`. */
const FEED_FIELDS =
  'version title home_page_url feed_url description user_comment next_url icon favicon author ' +
  'authors language expired hubs items';
const ITEM_FIELDS =
  'id url external_url title content_html content_text summary image banner_image ' +
  'date_published date_modified author authors tags language attachments';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const feedOf = (target: Target) => target.json<JsonFeedDocument>('/api/feed.json');

forEachTarget((target) => {
  test('is a JSON Feed 1.1 with a version, a title and items, and no field that it lacks', async () => {
    const feed = await feedOf(target);
    assertFields(feed, FEED_FIELDS);
    for (const item of feed.items) {
      assertFields(item, ITEM_FIELDS);
      for (const author of item.authors) assertFields(author, 'name url avatar');
    }
    assert.equal(feed.version, 'https://jsonfeed.org/version/1.1');
    assert.ok(feed.title.length > 0);
    assert.ok(Array.isArray(feed.items));
  });

  test('every item has an id of its own, a link, content and dates', async () => {
    const { items } = await feedOf(target);
    for (const item of items) {
      assert.equal(typeof item.id, 'string');
      assert.ok(URL.canParse(item.url), item.url);
      assert.ok(item.content_html.length > 0 && item.content_text.length > 0, item.id);
      assert.match(item.date_published, RFC_3339);
      assert.match(item.date_modified, RFC_3339);
      assert.ok(item.tags.every((tag) => typeof tag === 'string'));
    }
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
  });

  test('an item says what the review says, and who wrote it', async () => {
    const { reviews } = await target.dataset();
    (await feedOf(target)).items.forEach((item, at) => {
      const { author, date, owner_reply: reply, rating, text } = reviews[at]!;
      const [stars, ...parts] = item.content_text.split('\n\n');
      assert.equal(stars, `${rating} of 5 stars`);
      const answer = reply && `Answer from the business:\n\n${reply.text}`;
      const written = [text, answer].filter((part) => part !== null);
      assert.equal(parts.join('\n\n'), written.join('\n\n'));
      assert.equal(item.authors[0]!.name, author);
      assert.ok(item.date_published.startsWith(date), item.id);
    });
  });

  test('names its own address and the site', async () => {
    const { base_url: base } = await target.manifest();
    const feed = await feedOf(target);
    assert.equal(feed.feed_url, `${base}/api/feed.json`);
    assert.equal(feed.home_page_url, `${base}/`);
  });
});

function assertFields(object: object, known: string): void {
  const fields = new Set(known.split(' '));
  const unknown = Object.keys(object).filter((key) => !key.startsWith('_') && !fields.has(key));
  assert.deepEqual(unknown, []);
}
