import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { suggestNames } from '../../src/owner/suggest-names.ts';
import { readReviews } from '../../src/insights/analyze/review-reader.ts';
import { contentFolder } from '../support/content-folder.ts';
import { vocabulary, WEIGHTS } from '../support/engine.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

const words = vocabulary({
  technicians: [
    { id: 'priya', name: 'Priya Raman', aliases: ['Priya'] },
    { id: 'marcus', name: 'Marcus Delgado', aliases: ['Marcus'] },
    { id: 'robert', name: 'Robert Lund', aliases: [] },
  ],
  service_areas: [{ id: 'fernhill', label: 'Fernhill' }],
});
const records = (texts: string[]) =>
  texts.map((text, index) => record({ id: ulidOf(index), text }));
const suggested = (...texts: string[]) =>
  suggestNames(records(texts), words).map(({ text, reviews }) => `${text} ${reviews}`);

test('an unknown name after a title is shown, and nobody who is only thanked for', () => {
  assert.deepEqual(suggested('We saw Dr. Okafor.', 'Dr Okafor again.', 'Thank God!', 'thank God'), [
    'Okafor 2',
  ]);
});

test('an unknown name is shown once it recurs in the place of a technician', () => {
  assert.deepEqual(suggested('technician Ravi was kind', 'Ravi fixed it'), ['Ravi 2']);
  assert.deepEqual(suggested('technician Ravi was kind', 'we met Ravi'), []);
  const [ravi] = suggestNames(records(['Ask technician Ravi today.', 'Ravi came out']), words);
  assert.deepEqual(ravi, { text: 'Ravi', reviews: 2, example: 'Ask technician Ravi today' });
});

test('a name is counted in all reviews, also where it is used in another way', () => {
  const texts = ['technician Ravi was kind', 'we met Ravi', 'I liked Ravi best'];
  assert.deepEqual(suggested(...texts), ['Ravi 3']);
});

test('known names, common words, places, days and relatives are not shown', () => {
  const texts = ['Marcus came', 'Fernhill came', 'Monday came', 'my husband Marcos came'];
  assert.deepEqual(suggested(...texts, ...texts), []);
  assert.deepEqual(suggested('Plumber came', 'Plumber came', 'a plumber'), []);
});

test('a name that is only suggested is never matched', () => {
  const texts = ['Prya fixed it', 'Marcsu came', 'Bob and Marc were kind', 'technician Ravi came'];
  const readings = readReviews(records(texts), { vocabulary: words, weights: WEIGHTS });
  assert.deepEqual(
    [...readings.values()].flatMap(({ technicians }) => technicians),
    [],
  );
});

test('npm run reviews -- explain prints no sequence that a terminal would obey', async (context) => {
  const script = join(import.meta.dirname, '../../src/owner/main.ts');
  const hostile = jsonl(record({ text: '\u001b[2J\u009b31m Ravi came out.' }));
  const content = await contentFolder(context, { 'reviews/2026.jsonl': hostile });
  const env = { ...process.env, CONTENT_DIR: content };
  const { stdout, stderr } = spawnSync(process.execPath, [script, 'explain', record().id], {
    env,
    encoding: 'utf8',
  });
  assert.match(stdout + stderr, /Ravi came out/);
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  assert.doesNotMatch(stdout + stderr, /[\0-\x09\x0b-\x1f\x7f-\x9f]/);
});
