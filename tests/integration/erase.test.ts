import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { publishedRecord } from '../../src/dataset/publish.ts';
import { fingerprints, recordHash } from '../../src/journal/hash.ts';
import { erase } from '../../src/owner/commands/erase.ts';
import { toLine } from '../../src/owner/import/merge.ts';
import { parseMap } from '../../src/owner/import/field-map.ts';
import { randomSalt } from '../../src/owner/journal-writer.ts';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { emptyDataset, type Dataset } from '../support/import.ts';
import { record } from '../support/reviews.ts';
import { runHere } from '../support/run-here.ts';

const NAMES = ['Ada Byron', 'Grace Hopper', 'Mary Keller', 'Jean Bartik', 'Ida Rhodes'];
const MAP = parseMap('id=Review ID,author=Reviewer,rating=Rating,date=Date,text=Text');
/** Ratings without words: all that a stranger must guess is the name. */
const CSV = [
  'Review ID,Reviewer,Rating,Date,Text',
  ...NAMES.map((name, at) => `r${at},${name},5,2026-01-0${at + 1},`),
].join('\n');

async function imported(context: Parameters<typeof emptyDataset>[0]): Promise<Dataset> {
  const dataset = await emptyDataset(context);
  await dataset.runText('ratings.csv', `${CSV}\n`, {
    map: MAP,
    source: 'google',
    salt: randomSalt,
  });
  return dataset;
}

/** Returns the names that a stranger finds by trying each against all that the journal published. */
async function guessed(dataset: Dataset, before: readonly ReviewRecord[]): Promise<string[]> {
  const { journal } = await readContent(dataset.folder);
  const published = journal.entries.flatMap(({ before, after, words }) => [before, after, words]);
  const known = new Set(published);
  return NAMES.filter((author) =>
    before.some((record) => {
      const guess = publishedRecord({ ...record, author, salt: undefined });
      return known.has(recordHash(guess)) || known.has(fingerprints(guess).words!);
    }),
  );
}

const run = (dataset: Dataset, ...args: string[]) => runHere(erase, dataset.folder, args);

test('the hashes that were published tell no erased author to a person who guesses', async (context) => {
  const dataset = await imported(context);
  const before = await dataset.records();
  assert.equal(before.length, NAMES.length);
  const [first, second] = before;
  assert.ifError((await run(dataset, first!.id)).error);
  assert.ifError((await run(dataset, second!.id, '--name-only')).error);
  assert.deepEqual(await guessed(dataset, before), []);
  // The test can find them: with the salts, which are published while a review is, it does.
  const { journal } = await readContent(dataset.folder);
  const all = new Set(journal.entries.map(({ after }) => after));
  assert.ok(before.every((record) => all.has(recordHash(publishedRecord(record)))));
});

test('the id of an erased row of an export without ids tells nothing to a person who guesses', async (context) => {
  const rows = {
    map: parseMap('author=Reviewer,rating=Rating,date=Date,text=Text'),
    salt: randomSalt,
  };
  const csv = CSV.replaceAll(/^r\d,|^Review ID,/gm, '');
  const options = { ...rows, source: 'google' };
  const dataset = await emptyDataset(context);
  await dataset.runText('ratings.csv', `${csv}\n`, options);
  const ids = (await dataset.records()).map(({ id }) => id);
  // A stranger imports a guess with this program, which is public.
  const guess = await emptyDataset(context);
  await guess.runText('ratings.csv', `${csv}\n`, options);
  assert.deepEqual(
    (await guess.records()).filter(({ id }) => ids.includes(id)),
    [],
  );
  assert.ifError((await run(dataset, ids[0]!)).error);
  await dataset.runText('ratings.csv', `${csv}\n`, options);
  assert.deepEqual(
    (await dataset.records()).map(({ id }) => id),
    ids.slice(1),
  );
});

test('a review that was typed gets its salt when it is recorded', async (context) => {
  const dataset = await emptyDataset(context);
  const line = toLine(record({ text: 'Swift.', date: '2026-01-02' }));
  await mkdir(join(dataset.folder, 'reviews'));
  await writeFile(join(dataset.folder, 'reviews/2026.jsonl'), `${line}\n`);
  await dataset.record();
  const [typed] = await dataset.records();
  assert.match(typed!.salt!, /^[0-9a-f]{32}$/);
  assert.deepEqual({ ...typed, salt: undefined }, { ...JSON.parse(line), salt: undefined });
  assert.match(await dataset.record(), /Nothing to record/);
});

test('an erased review is gone from every file but its tombstone, and stays out', async (context) => {
  const dataset = await imported(context);
  const [{ id }] = (await dataset.records()) as [ReviewRecord];
  await mkdir(join(dataset.folder, 'annotations'));
  const annotation = `${JSON.stringify({ review_id: id })}\n`;
  await writeFile(join(dataset.folder, 'annotations/model.jsonl'), annotation);
  const { error, output } = await run(dataset, id);
  assert.ifError(error);
  assert.match(output, /the history of git: git filter-repo/);
  const files = await dataset.files();
  assert.doesNotMatch(JSON.stringify(files), /Ada Byron/);
  assert.equal(files['annotations/model.jsonl'], undefined);
  assert.match(files['withdrawn.jsonl']!, /"reason":"author-request"/);
  await dataset.runText('ratings.csv', `${CSV}\n`, {
    map: MAP,
    source: 'google',
  });
  assert.doesNotMatch(JSON.stringify(await dataset.files()), /Ada Byron/);
});

test('an author who is erased stays so when the review is imported again', async (context) => {
  const dataset = await imported(context);
  const [{ id }] = (await dataset.records()) as [ReviewRecord];
  assert.ifError((await run(dataset, id, '--name-only')).error);
  await dataset.runText('ratings.csv', `${CSV.replace('Ada Byron,5', 'Ada Byron,4')}\n`, {
    map: MAP,
    source: 'google',
  });
  const found = (await dataset.records()).find((record) => record.id === id)!;
  assert.deepEqual([found.author, found.rating], ['Anonymous', 4]);
});

test('an id that no review has is refused, and nothing is written', async (context) => {
  const dataset = await imported(context);
  const before = await dataset.files();
  assert.match(String((await run(dataset, '01KE0000000000000000000009')).error), /no line/);
  assert.deepEqual(await dataset.files(), before);
});
