import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { describeChanges, missingChanges } from '../../src/journal/comparison.ts';
import { emptyDataset, SALT, type Dataset } from '../support/import.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

const CSV = 'id,rating,date,text,author\na,5,2024-01-03,Swift.,Ada\nb,2,2024-01-04,Late.,Bo\n';
const options = { source: 'yelp', accept: () => Promise.resolve(true) };

const write = (dataset: Dataset, ...records: readonly object[]) =>
  dataset.add('reviews/2026.jsonl', jsonl(...records));

async function typed(context: TestContext, ...records: readonly object[]): Promise<Dataset> {
  const dataset = await emptyDataset(context);
  await write(dataset, ...records);
  return dataset;
}

/** The changes of the journal, e.g. `added 1`, without ids of imports; a reader checks the chain on the way. */
async function journal(dataset: Dataset): Promise<string[]> {
  const { journal } = await readContent(dataset.folder);
  return journal.entries.map(({ change, id, reason }) => {
    const number = id.startsWith('01KE') ? Number(id.slice(4)) : undefined;
    return [change, number, reason].filter((part) => part !== undefined).join(' ');
  });
}

/** The changes that a build would miss. */
async function missing(dataset: Dataset): Promise<string> {
  const { journal, reviews, withdrawn } = await readContent(dataset.folder);
  return describeChanges(missingChanges(journal.chain, reviews, withdrawn));
}

const reply = { text: 'Thanks!', date: '2026-03-02' };
const first = record({ salt: SALT });
const second = record({ id: ulidOf(2), text: 'Late.', salt: SALT });

test('the first record of a dataset has every review, the second one nothing, and a dry run writes none', async (context) => {
  const dataset = await typed(context, first, second);
  const empty = await dataset.files();
  assert.equal(await missing(dataset), '2 added');
  assert.match(await dataset.record('--dry-run'), /^2 added.*\nNothing was written/);
  assert.deepEqual(await dataset.files(), empty);
  const output = await dataset.record();
  assert.match(output, /^2 added; the head of the journal is 2:[0-9a-f]{64}\nWrote journal\//);
  assert.deepEqual(await journal(dataset), ['added 1', 'added 2']);
  const before = await dataset.files();
  assert.equal(await dataset.record(), 'Nothing to record: the journal is up to date.');
  assert.deepEqual(await dataset.files(), before);
});

test('edits and replies by hand are recorded, after what was there', async (context) => {
  const dataset = await typed(context, first, second);
  await dataset.record();
  await write(dataset, record({ salt: SALT, owner_reply: reply }), { ...second, rating: 1 });
  assert.equal(await missing(dataset), '1 edited, 1 replied');
  assert.match(await dataset.record(), /^1 edited, 1 replied; the head of the journal is 4:/);
  assert.deepEqual(await journal(dataset), ['added 1', 'added 2', 'replied 1', 'edited 2']);
  assert.equal(await missing(dataset), '');
});

test('a line that was deleted is withdrawn only with a reason, and leaves a tombstone', async (context) => {
  const dataset = await typed(context, first, second);
  await dataset.record();
  await write(dataset, first);
  const before = await dataset.files();
  await assert.rejects(
    dataset.record(),
    /reviews in the journal without a line \(1\): 01KE.*2\. Put/,
  );
  await assert.rejects(dataset.record('--withdraw', 'anger'), /usage: .*gone-from-platform/s);
  assert.deepEqual(await dataset.files(), before);
  assert.equal(await missing(dataset), '1 withdrawn');
  await dataset.record('--withdraw', 'author-request');
  assert.deepEqual(await journal(dataset), ['added 1', 'added 2', 'withdrawn 2 author-request']);
  const { withdrawn } = await readContent(dataset.folder);
  const [{ withdrawn_at: _, ...tombstone }, ...others] = withdrawn as [(typeof withdrawn)[0]];
  assert.deepEqual(tombstone, { id: ulidOf(2), date: '2026-03-01', reason: 'author-request' });
  assert.deepEqual(others, []);
  assert.equal(await missing(dataset), '');
});

test('a withdrawal is undone by the id, and the next import brings the review back', async (context) => {
  const dataset = await emptyDataset(context);
  await dataset.runText('a.csv', CSV, options);
  const [, gone] = await dataset.records();
  await dataset.runText('a.csv', CSV.split('b,')[0]!, { ...options, withdraw: true });
  const before = await dataset.files();
  await assert.rejects(
    dataset.record('--restore', ulidOf(9), gone!.id),
    /^Error: 01KE.*9: no line of withdrawn\.jsonl has this id$/,
  );
  await assert.rejects(dataset.record('--restore'), /usage: /);
  await assert.rejects(dataset.record(gone!.id), /usage: /);
  await dataset.record('--restore', gone!.id, '--dry-run');
  assert.deepEqual(await dataset.files(), before);
  const output = await dataset.record('--restore', `https://reviews.example/reviews/${gone!.id}/`);
  assert.match(
    output,
    /^Restored .*: import the reviews again, or put their lines back from git$/m,
  );
  assert.match(output, /^Wrote withdrawn\.jsonl$/m);
  assert.equal(await missing(dataset), '');
  await dataset.runText('a.csv', CSV, options);
  assert.deepEqual((await dataset.records())[1], gone);
  const changes = ['added', 'added', 'withdrawn gone-from-platform', 'added'];
  assert.deepEqual(await journal(dataset), changes);
  assert.equal(await missing(dataset), '');
});

test('a review that is put back from git after its restore is recorded', async (context) => {
  const dataset = await typed(context, first, second);
  await dataset.record();
  await write(dataset, first);
  await dataset.record('--withdraw', 'other');
  await dataset.record('--restore', ulidOf(2));
  await write(dataset, first, second);
  assert.match(await dataset.record(), /^1 added; /);
  assert.equal(await missing(dataset), '');
});

test('an import records what it changes, and so does a withdrawal', async (context) => {
  const dataset = await emptyDataset(context);
  await dataset.runText('a.csv', CSV, options);
  await dataset.runText('a.csv', CSV.replace('5,2024', '4,2024'), options);
  const after = await dataset.files();
  await dataset.runText('a.csv', CSV.replace('5,2024', '4,2024'), options);
  assert.deepEqual(await dataset.files(), after, 'nothing is recorded twice');
  const shorter = CSV.split('b,')[0]!.replace('5,2024', '4,2024');
  await dataset.runText('a.csv', shorter, { ...options, withdraw: true });
  const changes = ['added', 'added', 'edited', 'withdrawn gone-from-platform'];
  assert.deepEqual(await journal(dataset), changes);
  assert.equal(await missing(dataset), '');
});

test('an import records what was edited by hand before it, but no line that was deleted', async (context) => {
  const dataset = await typed(context, first, second);
  await dataset.record();
  await write(dataset, { ...first, rating: 1 });
  await dataset.runText('a.csv', CSV, options);
  const changes = ['added', 'added', 'added 1', 'added 2', 'edited 1'];
  assert.deepEqual((await journal(dataset)).sort(), changes);
  assert.equal(await missing(dataset), '1 withdrawn');
});

test('an import into a dataset without a journal begins one with all of its reviews', async (context) => {
  const dataset = await typed(context, first);
  await dataset.runText('a.csv', CSV, options);
  assert.equal((await journal(dataset)).length, 3);
  assert.equal(await missing(dataset), '');
});

test('an import with a broken journal writes nothing, and names the line', async (context) => {
  const dataset = await emptyDataset(context);
  await dataset.runText('a.csv', CSV, options);
  await dataset.edit('journal/2026.jsonl', (text) => text.replace('2024-01-03', '2024-01-05'));
  const before = await dataset.files();
  await assert.rejects(
    dataset.runText('a.csv', `${CSV}c,1,2024-01-05,Never.,Cy\n`, options),
    /^ContentError: content\/journal\/2026\.jsonl:2: previous: is not the hash of the entry above/,
  );
  assert.deepEqual(await dataset.files(), before);
});

test('a line is appended below a last line without its line break', async (context) => {
  const dataset = await emptyDataset(context);
  await dataset.runText('a.csv', CSV, options);
  await dataset.edit('journal/2026.jsonl', (text) => text.trimEnd());
  await dataset.runText('a.csv', CSV.replace('Swift.', 'Swift!'), options);
  assert.deepEqual(await journal(dataset), ['added', 'added', 'edited']);
});
