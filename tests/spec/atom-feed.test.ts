import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachTarget, type Target } from '../support/targets.ts';

// Contract, section 4.4, and RFC 4287. The tests of the format cover parsing.

forEachTarget((target) => {
  test('is an Atom feed with an id, a title and the time of its newest change', async () => {
    const head = (await atomOf(target)).split('<entry>')[0]!;
    assert.match(
      head,
      /^<\?xml version="1\.0" encoding="utf-8"\?>\s*<\?xml-stylesheet [^>]+\?>\s*<!--[^>]+-->\s*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/,
    );
    assert.equal(elements(head, 'id').length, 1);
    assert.equal(elements(head, 'title').length, 1);
    const { updated_at: updatedAt } = await target.dataset();
    assert.equal(Date.parse(elements(head, 'updated')[0]!), Date.parse(updatedAt));
  });

  test('carries the same reviews as the JSON Feed, in the same order, under the same ids', async () => {
    const { items } = await target.json<{ items: { id: string; url: string }[] }>('/api/feed.json');
    const entries = await entriesOf(target);
    assert.deepEqual(
      entries.map((entry) => elements(entry, 'id')[0]),
      items.map(({ id }) => id),
    );
    entries.forEach((entry, at) => {
      assert.ok(entry.includes(`<link href="${items[at]!.url}"/>`), items[at]!.url);
    });
  });

  test('every entry has exactly one id, title, time and text, and an author', async () => {
    for (const entry of await entriesOf(target)) {
      for (const name of ['id', 'title', 'updated', 'published', 'content', 'author']) {
        assert.equal(elements(entry, name).length, 1, `${name} of ${entry}`);
      }
    }
  });

  test('an entry has the times of its review', async () => {
    const { reviews } = await target.dataset();
    (await entriesOf(target)).forEach((entry, at) => {
      const { date, updated_at: updatedAt } = reviews[at]!;
      assert.equal(Date.parse(elements(entry, 'updated')[0]!), Date.parse(updatedAt));
      assert.equal(elements(entry, 'published')[0]!.slice(0, 10), date);
    });
  });
});

async function atomOf(target: Target): Promise<string> {
  const response = await target.fetch('/feed.xml');
  assert.equal(response.status, 200);
  return response.text();
}

async function entriesOf(target: Target): Promise<string[]> {
  return elements(await atomOf(target), 'entry');
}

/** Returns the content of each element with a name. */
function elements(xml: string, name: string): string[] {
  const pattern = new RegExp(`<${name}(?: [^>]*)?>([\\s\\S]*?)</${name}>`, 'g');
  return [...xml.matchAll(pattern)].map(([, inside]) => inside!);
}
