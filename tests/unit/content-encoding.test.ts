import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { contentFolder, issuesOf } from '../support/content-folder.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

const FILE = 'reviews/2026.jsonl';

test('refuses Latin-1, naming the first line that is not UTF-8', async (context) => {
  const text = jsonl(record(), record({ id: ulidOf(2), author: 'José' }));
  const issues = await issuesOf(context, { [FILE]: Buffer.from(text, 'latin1') });
  assert.deepEqual(issues, [`content/${FILE}:2: is not valid UTF-8`]);
});

test('refuses UTF-16 without a byte order mark, though its bytes may be valid UTF-8', async (context) => {
  const bytes = Buffer.from('{"name":"A","category":"b"}', 'utf16le');
  const issues = await issuesOf(context, { 'business.json': bytes });
  assert.equal(issues.length, 1);
  assert.match(issues[0]!, /^content\/business\.json:1: /);
});

test('reads CRLF, a byte order mark and blank lines as if they were not there', async (context) => {
  const plain = jsonl(record(), record({ id: ulidOf(2), text: 'Zoë came.\nTwice.' }));
  const faq = '---\nquestion: Cheap?\nevidence: {}\n---\nNo.\n';
  const windows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`;
  const read = async (reviews: string, question: string) =>
    readContent(await contentFolder(context, { [FILE]: reviews, 'faq/prices.md': question }));
  const spaced = windows(`\n\n${plain.replace('\n', '\n\n \n')}\n\n`);
  assert.deepEqual(await read(spaced, windows(faq)), await read(plain, faq));
});
