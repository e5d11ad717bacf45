import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAtomFeed } from 'feedsmith';
import { buildAtomFeed } from '../../src/resources/atom.ts';
import { buildJsonFeed } from '../../src/resources/json-feed.ts';
import { textOf } from '../support/html.ts';
import { child, parseDocument } from '../support/parse-xml.ts';
import { dataset, review } from '../support/reviews.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  ']]>',
  ']]]]><![CDATA[>',
  '<![CDATA[ x ]]>',
  'Tom & Jerry',
  `lone " and lone '`,
  '"/><entry><id>x</id></entry>',
  '<img src=x onerror=alert(1)>',
  'emoji 👨‍👩‍👧 水漏れ',
];

const sourceOf = (fields: object) => {
  return { dataset: dataset([review(fields)]), baseUrl: 'https://a.example', hub: null };
};

function feedsOf(hostile: string) {
  const owner_reply = { text: hostile, date: '2026-03-02' };
  const source = sourceOf({ author: hostile, title: hostile, text: hostile, owner_reply });
  const xml = buildAtomFeed(source);
  return { xml, entry: child(parseDocument(xml), 'entry'), item: buildJsonFeed(source).items[0]! };
}

for (const hostile of HOSTILE) {
  test(`lets ${hostile} survive as text, in every field`, () => {
    const { xml, entry, item } = feedsOf(hostile);
    assert.equal(child(child(entry, 'author'), 'name').text, hostile);
    assert.equal(child(entry, 'title').text, `★★★★★ ${hostile}`);
    assert.equal(child(entry, 'summary').text, hostile);
    const [, text, , reply] = child(entry, 'content').text.split('</p>').map(textOf);
    assert.deepEqual([text, reply], [hostile, hostile]);

    const [parsed] = parseAtomFeed(xml).entries!;
    assert.equal(parsed!.content!.value, child(entry, 'content').text);

    assert.equal(item.title, `★★★★★ ${hostile}`);
    const [stars, wrote, answered, replied] = item.content_text.split('\n\n');
    assert.deepEqual([wrote, replied], [hostile, hostile]);
    assert.equal(`${stars}${wrote}${answered}${replied}`, textOf(item.content_html));
    assert.equal(item.authors[0]!.name, hostile);
    assert.equal(item.content_html, child(entry, 'content').text);
  });
}

test('drops only the characters that XML cannot write', () => {
  const everyControl = Buffer.from(Array.from({ length: 0xa0 }, (_, at) => at)).toString('latin1');
  const { entry } = feedsOf(`a${everyControl}b\ufffe\uffff\ud83dc`);
  const author = child(child(entry, 'author'), 'name').text;
  // An XML parser reads a carriage return as a line break (XML 1.0, section 2.11).
  const kept = everyControl.replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '').replace('\r', '\n');
  assert.equal(author, `a${kept}b\ufffdc`);
});

test('keeps line breaks and paragraphs of a text, those of Windows too', () => {
  for (const text of ['One.\nTwo.\n\nThree.', 'One.\r\nTwo.\r\n\r\nThree.']) {
    const { entry, item } = feedsOf(text);
    for (const html of [child(entry, 'content').text, item.content_html]) {
      assert.ok(html.includes('<p>One.<br>Two.</p><p>Three.</p>'), html);
    }
  }
});

test('has words for a rating without words, and no field that is null', () => {
  const [item] = buildJsonFeed(sourceOf({ text: null, rating: 4 })).items;
  assert.match(item!.content_text, /4 of 5 stars/);
  assert.ok(!JSON.stringify(item).includes('null'));
});
