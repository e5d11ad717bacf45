import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { suggest } from '../../src/owner/commands/suggest.ts';
import { readContent } from '../../src/content/read-content.ts';
import { readReviews } from '../../src/insights/analyze/review-reader.ts';
import { suggestNames } from '../../src/owner/suggest-names.ts';
import { describeGaps, findGaps } from '../../src/owner/suggest-words.ts';
import { UsageError } from '../../src/run-command.ts';
import { contentFolder } from '../support/content-folder.ts';
import { vocabulary, WEIGHTS } from '../support/engine.ts';
import { ROOT } from '../support/fixtures.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { runHere } from '../support/run-here.ts';

const TEXTS = [
  'Amazing mural. Technician Ravi was kind. We live in Zennor.',
  'The mural is gorgeous. Ravi fixed our oil tank in Zennor.',
  'What a terrible mural! They cleaned the oil tank near Zennor.',
  'The price was fair. Great oil tank work.',
];
const records = TEXTS.map((text, index) =>
  record({
    id: ulidOf(index + 1),
    text,
    source_url: `https://www.yelp.example/biz/fenwick-drains?hrid=${index}`,
  }),
);

async function dataset(context: TestContext, reviews = jsonl(...records)): Promise<string> {
  return contentFolder(context, {
    'business.json': JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning' }),
    'faq/prices.md': null,
    'reviews/2026.jsonl': reviews,
    vocabulary: null,
  });
}

const runSuggest = (folder: string, ...args: string[]) => runHere(suggest, folder, args);

test('counts opinions in sentences that mention no aspect', () => {
  const words = vocabulary({
    aspects: [{ id: 'price', label: 'Price', terms: ['price'] }],
  });
  const gaps = findGaps(records, words, 'Fenwick Drains');
  const [mural] = gaps.words;
  assert.deepEqual([mural!.text, mural!.reviews, mural!.example], ['mural', 3, 'Amazing mural.']);
  const one = findGaps([record({ text: 'A great price. A lovely mural.' })], words, 'A');
  assert.equal(
    describeGaps(one),
    '50 % of the opinions in the reviews are about nothing that content/vocabulary names',
  );
  const other = findGaps([record({ text: 'Das war gut.', language: 'de' })], words, 'A');
  assert.equal(describeGaps(other), 'The reviews have no opinions in words');
});

test('lists what the vocabulary lacks, and adds nothing by itself', async (context) => {
  const folder = await dataset(context);
  const { error, output } = await runSuggest(folder);
  assert.ifError(error);
  assert.match(output, /^\d+ % of the opinions in the reviews are about nothing that .* names\n/);
  assert.match(output, /^\d+\. person Ravi: 2 reviews, "/m);
  assert.match(output, /^\d+\. word beside opinions mural: 3 reviews, "Amazing mural\."/m);
  assert.ok(!(await readdir(folder)).includes('vocabulary'));
  const [, shown] = /--accept (\S+)/.exec(output)!;
  assert.ifError((await runSuggest(folder, '--accept', shown!)).error);
});

test('adds what is accepted, and does not suggest it again', async (context) => {
  const folder = await dataset(context);
  const { output } = await runSuggest(folder);
  const numberOf = (what: string) =>
    new RegExp(`^(\\d+)\\. (?:person|word beside opinions) ${what}`, 'm').exec(output)![1]!;
  const wanted = [numberOf('Ravi'), `${numberOf('mural')}=quality`];
  const before = await readContent(folder);
  const accepted = await runSuggest(folder, '--accept', wanted.join(','));
  assert.ifError(accepted.error);
  const { vocabulary } = await readContent(folder);
  const ravi = { id: 'ravi', name: 'Ravi', aliases: [], ambiguous: [] };
  assert.deepEqual(vocabulary.technicians[0], ravi);
  // The pack stays, and the word is beside its own.
  assert.equal(vocabulary.aspects.length, before.vocabulary.aspects.length);
  const quality = vocabulary.aspects.find(({ id }) => id === 'quality')!;
  assert.equal(quality.subjects.at(-1), 'mural');
  assert.doesNotMatch((await runSuggest(folder)).output, /Ravi:|mural:/);
});

test('gives each person an id, also for letters that are not Latin', async (context) => {
  const reviews = ['Νίκος', 'Νίκος', 'Μαρία', 'Μαρία'].map((name, index) =>
    record({
      id: ulidOf(index + 1),
      text: `Technician ${name} was kind.`,
      source_url: `https://www.yelp.example/biz/fenwick-drains?hrid=${index}`,
    }),
  );
  const folder = await dataset(context, jsonl(...reviews));
  const { error } = await runSuggest(folder, '--accept', '1,2');
  assert.ifError(error);
  const { technicians } = (await readContent(folder)).vocabulary;
  const ids = technicians.map(({ id }) => id);
  assert.deepEqual(ids, ['person', 'person-2']);
});

test('refuses a number or an aspect that does not exist, and writes nothing', async (context) => {
  const folder = await dataset(context);
  const before = await readFile(join(folder, 'business.json'), 'utf8');
  const { output } = await runSuggest(folder);
  const mural = /^(\d+)\. word beside opinions mural/m.exec(output)![1]!;
  for (const [wanted, message] of [
    ['99', /no suggestion has the number 99/],
    [mural, /needs an aspect: \d+=…, one of quality, /],
    [`${mural}=karma`, /needs an aspect/],
  ] as const) {
    const refused = await runSuggest(folder, '--accept', wanted);
    assert.ok(refused.error instanceof UsageError);
    assert.match(refused.error.message, message);
  }
  assert.equal(await readFile(join(folder, 'business.json'), 'utf8'), before);
  assert.ok(!(await readdir(folder)).includes('vocabulary'));
});

const KNOWN = vocabulary({
  technicians: [
    { id: 'priya', name: 'Priya Raman', aliases: ['Priya'] },
    { id: 'marcus', name: 'Marcus Delgado', aliases: ['Marcus'] },
    { id: 'robert', name: 'Robert Lund', aliases: [] },
  ],
  service_areas: [{ id: 'fernhill', label: 'Fernhill' }],
});
const recordsOf = (texts: string[]) =>
  texts.map((text, index) => record({ id: ulidOf(index), text }));
const suggested = (...texts: string[]) =>
  suggestNames(recordsOf(texts), KNOWN).map(({ text, reviews }) => `${text} ${reviews}`);

test('an unknown name after a title is shown, and nobody who is only thanked for', () => {
  assert.deepEqual(suggested('We saw Dr. Okafor.', 'Dr Okafor again.', 'Thank God!', 'thank God'), [
    'Okafor 2',
  ]);
});

test('an unknown name is shown once it recurs in the place of a technician', () => {
  assert.deepEqual(suggested('technician Ravi was kind', 'Ravi fixed it'), ['Ravi 2']);
  assert.deepEqual(suggested('technician Ravi was kind', 'we met Ravi'), []);
  const [ravi] = suggestNames(recordsOf(['Ask technician Ravi today.', 'Ravi came out']), KNOWN);
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
  const readings = readReviews(recordsOf(texts), { vocabulary: KNOWN, weights: WEIGHTS });
  const matched = [...readings.values()].flatMap(({ technicians }) => technicians);
  assert.deepEqual(matched, []);
});

test('npm run reviews -- explain prints no sequence that a terminal would obey', async (context) => {
  const hostile = jsonl(record({ text: '\u001b[2J\u009b31m Ravi came out.' }));
  const content = await contentFolder(context, { 'reviews/2026.jsonl': hostile });
  const args = ['src/owner/main.ts', 'explain', record().id];
  const env = { ...process.env, CONTENT_DIR: content };
  const options = { cwd: ROOT, env, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, options);
  assert.match(stdout + stderr, /Ravi came out/);
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  assert.doesNotMatch(stdout + stderr, /[\0-\x09\x0b-\x1f\x7f-\x9f]/);
});
