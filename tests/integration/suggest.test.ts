import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { suggest } from '../../src/owner/commands/suggest.ts';
import { readContent } from '../../src/content/read-content.ts';
import { describeGaps, findGaps } from '../../src/owner/suggest-words.ts';
import { UsageError } from '../../src/run-command.ts';
import { contentFolder } from '../support/content-folder.ts';
import { vocabulary } from '../support/engine.ts';
import type { temporaryFolder } from '../support/fixtures.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { runHere } from '../support/run-here.ts';

type TestContext = Parameters<typeof temporaryFolder>[0];

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
  const lines = output.trim().split('\n');
  assert.match(
    lines[0]!,
    /^\d+ % of the opinions in the reviews are about nothing that content\/vocabulary names$/,
  );
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
  assert.deepEqual(vocabulary.technicians[0], {
    id: 'ravi',
    name: 'Ravi',
    aliases: [],
    ambiguous: [],
  });
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
  assert.deepEqual(
    technicians.map(({ id }) => id),
    ['person', 'person-2'],
  );
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
