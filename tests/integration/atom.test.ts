import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { XmlElement } from '@rgrove/parse-xml';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { child, children, parseDocument } from '../support/parse-xml.ts';

/** RFC 4287, section 3.3. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const ATOM = 'http://www.w3.org/2005/Atom';

const client = await sampleEdition();
const sample = await readDataset(client);
const xml = await readFile(join(client, 'feed.xml'), 'utf8');
const feed = parseDocument(xml);
const files = (await readdir(join(client, 'feed'))).filter((file) => file.endsWith('.xml'));
/** The documents of the archives, newest first. */
const archives = await Promise.all(
  files
    .sort()
    .toReversed()
    .map((file) => readFile(join(client, 'feed', file), 'utf8')),
);

const roots = () => [feed, ...archives.map(parseDocument)];

const linkTo = (element: XmlElement, rel: string) =>
  children(element, 'link')
    .filter(({ attributes }) => (attributes.rel ?? 'alternate') === rel)
    .map(({ attributes }) => attributes.href);

test('has what RFC 4287 requires of a feed', () => {
  for (const root of roots()) {
    assert.equal(root.name, 'feed');
    assert.equal(root.attributes.xmlns, ATOM);
    assert.equal(child(root, 'id').text, child(feed, 'id').text);
    assert.ok(URL.canParse(child(root, 'id').text));
    assert.notEqual(child(root, 'title').text.trim(), '');
    assert.match(child(root, 'updated').text, RFC_3339);
    assert.notEqual(child(child(root, 'author'), 'name').text, '');
  }
});

test('has what RFC 4287 requires of each entry', () => {
  for (const entry of roots().flatMap((root) => children(root, 'entry'))) {
    assert.ok(URL.canParse(child(entry, 'id').text));
    assert.notEqual(child(entry, 'title').text.trim(), '');
    assert.match(child(entry, 'updated').text, RFC_3339);
    assert.match(child(entry, 'published').text, RFC_3339);
    assert.notEqual(child(child(entry, 'author'), 'name').text, '');
    assert.equal(child(entry, 'content').attributes.type, 'html');
    assert.equal(linkTo(entry, 'alternate').length, 1);
    for (const category of children(entry, 'category')) assert.ok(category.attributes.term);
  }
});

test('an archive was updated when its own reviews were', () => {
  const times = new Map(sample.reviews.map(({ url, updated_at: time }) => [url, time]));
  for (const archive of archives.map(parseDocument)) {
    const own = children(archive, 'entry').map((entry) =>
      times.get(linkTo(entry, 'alternate')[0]!)!,
    );
    assert.equal(Date.parse(child(archive, 'updated').text), Date.parse(own.sort().at(-1)!));
  }
});
