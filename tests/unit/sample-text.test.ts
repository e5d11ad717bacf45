import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sample from '../../src/content/sample.json' with { type: 'json' };
import { readContent } from '../../src/content/read-content.ts';
import { fingerprint } from '../../src/content/sample.ts';
import { contentFolder, issuesOf } from '../support/content-folder.ts';
import { DATASET } from '../support/fixtures.ts';

const INSURER = JSON.stringify({ name: 'Pawsome Pet Insurance', category: 'pet insurance' });
const read = (path: string) => readFile(join(DATASET, path), 'utf8');
const SUMMARY = await read('summary.md');
const QUESTION = await read('faq/cleaning-up.md');
const NEW = { 'business.json': INSURER, 'faq/prices.md': null, vocabulary: null };

test('the fingerprints are those of the sample, which the tests have a copy of', async () => {
  const { business, faq, reviews, summary, vocabulary } = await readContent(DATASET);
  const { legal_name, description, url, phone, email, address, same_as } = business;
  const answers = faq.map(({ answer }) => answer);
  const aliases = vocabulary.technicians.flatMap((technician) => technician.aliases);
  const ofBusiness = [legal_name, description, url, phone, email, address!.street, ...same_as];
  const texts = [...ofBusiness, summary!.text, ...answers, ...aliases];
  const pieces = texts.flatMap((text) => text?.match(/[^"\n]{12,}/g) ?? []);
  const expected = [...pieces, ...reviews.map(({ id }) => id)].map(fingerprint);
  assert.equal(sample.name, business.name);
  assert.deepEqual(sample.fingerprints.toSorted(), [...new Set(expected)].sort());
});

test('refuses paragraphs of the sample under another name, each with its line', async (context) => {
  const issues = await issuesOf(context, {
    ...NEW,
    'summary.md': SUMMARY,
    'faq/cleaning-up.md': QUESTION.replace('topics: [clean-up-and-care]', 'topics: []')
      .replace('problems: [mess-left]', 'problems: []')
      .replace('aspects: [cleanliness]', 'aspects: [quality]')
      .replace('aspect: cleanliness', 'aspect: quality'),
  });
  const reason = 'is text of the sample: write your own, or delete it';
  const places = ['faq/cleaning-up.md:12', 'summary.md:1', 'summary.md:3', 'summary.md:5'];
  const found = issues.map((issue) => issue.split(' (was')[0]).join('\n');
  assert.equal(found, places.map((place) => `content/${place}: ${reason}`).join('\n'));
});

test('refuses fields, people, reviews and changes of the sample under another name', async (context) => {
  const business = (await read('business.json')).replace(sample.name, 'Pawsome Pet Insurance');
  const issues = await issuesOf(context, {
    ...NEW,
    'business.json': business,
    'reviews/2026.jsonl': await read('reviews/2026.jsonl'),
    'journal/2025.jsonl': await read('journal/2025.jsonl'),
    'vocabulary/technicians.json': await read('vocabulary/technicians.json'),
    'vocabulary/service-areas.json': await read('vocabulary/service-areas.json'),
  });
  for (const text of ['+12075550142', 'https://www.harborandpine.example', '18 Ropewalk Lane']) {
    assert.ok(issues.join('\n').includes(`(was "${text}")`), text);
  }
  const own = issues.filter((issue) => issue.includes('is text of the sample'));
  const files = own.map((issue) => issue.split(':')[0]);
  for (const long of ['content/reviews/2026.jsonl', 'content/journal/2025.jsonl']) {
    assert.equal(files.filter((file) => file === long).length, 1, long);
  }
  assert.ok(files.includes('content/vocabulary/technicians.json'));
});

test('accepts the sample as itself, and a business that has nothing of it', async (context) => {
  for (const name of await readdir(DATASET)) assert.ok(!name.startsWith('.'), name);
  await readContent(DATASET);
  assert.deepEqual(await issuesOf(context, { ...NEW, 'summary.md': 'A fine insurer.' }), []);
  await readContent(await contentFolder(context, {}));
});
