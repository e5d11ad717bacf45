import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { publishedRecord } from '../../src/dataset/publish.ts';
import { fingerprints, recordHash } from '../../src/journal/hash.ts';
import { checkContent } from '../../src/owner/commands/check-content.ts';
import { nameIn } from '../../src/owner/author-name.ts';
import { erase } from '../../src/owner/commands/erase.ts';
import { parseMap } from '../../src/owner/import/field-map.ts';
import { randomSalt } from '../../src/owner/journal-writer.ts';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { emptyDataset, type Dataset } from '../support/import.ts';
import { jsonl, record } from '../support/reviews.ts';
import { runHere } from '../support/run-here.ts';

const NAMES = ['Ada Byron', 'Grace Hopper', 'Mary Keller', 'Jean Bartik', 'Ida Rhodes'];
const MAP = parseMap('id=Review ID,author=Reviewer,rating=Rating,date=Date,text=Text');
/** Ratings without words: all that a stranger must guess is the name. */
const CSV = [
  'Review ID,Reviewer,Rating,Date,Text',
  ...NAMES.map((name, at) => `r${at},${name},5,2026-01-0${at + 1},`),
].join('\n');

const importText = (dataset: Dataset, csv = CSV, map = MAP) =>
  dataset.runText('ratings.csv', `${csv}\n`, { map, source: 'google', salt: randomSalt });

async function imported(context: TestContext): Promise<Dataset> {
  const dataset = await emptyDataset(context);
  await importText(dataset);
  return dataset;
}

const firstOf = async (dataset: Dataset): Promise<ReviewRecord> => (await dataset.records())[0]!;

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
  const map = parseMap('author=Reviewer,rating=Rating,date=Date,text=Text');
  const csv = CSV.replaceAll(/^r\d,|^Review ID,/gm, '');
  const idsAfterImport = async (into: Dataset) => {
    await importText(into, csv, map);
    return (await into.records()).map(({ id }) => id);
  };
  const dataset = await emptyDataset(context);
  const ids = await idsAfterImport(dataset);
  // A stranger imports a guess with this program, which is public.
  const guessed = await idsAfterImport(await emptyDataset(context));
  assert.equal(new Set([...ids, ...guessed]).size, 2 * NAMES.length);
  assert.ifError((await run(dataset, ids[0]!)).error);
  assert.deepEqual(await idsAfterImport(dataset), ids.slice(1));
});

test('a review that was typed gets its salt when it is recorded', async (context) => {
  const dataset = await emptyDataset(context);
  const line = jsonl(record({ text: 'Swift.', date: '2026-01-02' }));
  await dataset.add('reviews/2026.jsonl', line);
  await dataset.record();
  const typed = await firstOf(dataset);
  assert.match(typed.salt!, /^[0-9a-f]{32}$/);
  assert.deepEqual({ ...typed, salt: undefined }, { ...JSON.parse(line), salt: undefined });
  assert.match(await dataset.record(), /Nothing to record/);
});

test('an erased review is gone from every file but its tombstone, and stays out', async (context) => {
  const dataset = await imported(context);
  const { id } = await firstOf(dataset);
  await dataset.add('annotations/model.jsonl', jsonl({ review_id: id }));
  // As people paste it.
  const { error, output } = await run(
    dataset,
    `https://reviews.example/reviews/${id.toLowerCase()}/`,
  );
  assert.ifError(error);
  assert.match(output, /the history of git: .*\n +npm run reviews -- erase \S+ --history/);
  const files = await dataset.files();
  assert.doesNotMatch(JSON.stringify(files), /Ada Byron/);
  assert.equal(files['annotations/model.jsonl'], undefined);
  assert.match(files['withdrawn.jsonl']!, /"reason":"author-request"/);
  await importText(dataset);
  assert.doesNotMatch(JSON.stringify(await dataset.files()), /Ada Byron/);
});

test('an author who is erased stays so when the review is imported again', async (context) => {
  const dataset = await imported(context);
  const { id } = await firstOf(dataset);
  assert.ifError((await run(dataset, id, '--name-only')).error);
  await importText(dataset, CSV.replace('Ada Byron,5', 'Ada Byron,4'));
  const found = (await dataset.records()).find((record) => record.id === id)!;
  assert.deepEqual([found.author, found.rating], ['Anonymous', 4]);
});

test('an id that no review has is refused, and nothing is written', async (context) => {
  const dataset = await imported(context);
  const before = await dataset.files();
  assert.match(String((await run(dataset, '01KE0000000000000000000009')).error), /no line/);
  assert.deepEqual(await dataset.files(), before);
});

test('two letters of a name alone are words of many languages, and stay', () => {
  const name = nameIn('Jo Smith')!;
  assert.equal('Jo, Mr. SMITH and Jo Smith'.replaceAll(name, '…'), 'Jo, Mr. … and …');
});

test('a name is found in words, the reply and documents, and replaced on request', async (context) => {
  const dataset = await emptyDataset(context);
  const text = 'Never again.\n\nOttoline Quarmby, who still waits. Quarmby!';
  const review = record({
    author: 'Ottoline Quarmby',
    title: 'Quarmbying about',
    text,
    criticism_at: 14,
    date: '2026-01-02',
    owner_reply: { text: 'Thank you, Ottoline.', date: '2026-01-03' },
  });
  await dataset.add('reviews/2026.jsonl', jsonl(review));
  await dataset.add('summary.md', 'Some wait.\nOttoline does.\n');
  const { id } = await firstOf(dataset);
  const before = await dataset.files();
  const refused = await run(dataset, id, '--name-only');
  assert.match(
    String(refused.error),
    /2026\.jsonl:1: the name is also in text and owner_reply\.text: say --in-words/,
  );
  assert.deepEqual(await dataset.files(), before);
  const { error, output } = await run(dataset, id, '--name-only', '--in-words');
  assert.ifError(error);
  assert.match(output, /summary\.md:2: has the name: edit it/);
  const left = await firstOf(dataset);
  assert.equal(left.text, 'Never again.\n\n[…], who still waits. […]!');
  assert.equal(left.title, 'Quarmbying about');
  assert.equal(left.criticism_at, 14);
  assert.equal(left.owner_reply!.text, 'Thank you, […].');
  assert.doesNotMatch(output, /Quarmby/);
});

const FILTER_REPO = '/usr/bin/git-filter-repo';
const skip = !existsSync(FILTER_REPO) && 'install git-filter-repo to test the history';

/** Puts an imported dataset into a repository, and returns how to run git and to commit there. */
async function repositoryOf(dataset: Dataset) {
  const folder = join(dataset.folder, '..');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const commit = (subject: string) => {
    git('add', '-A');
    git('-c', 'user.name=A', '-c', 'user.email=a@x.example', 'commit', '-qm', subject);
  };
  await rm(join(folder, 'ratings.csv'));
  git('init', '-q');
  commit('Import');
  return { git, commit, copy: `${folder}-copy` };
}

for (const [what, ...args] of [['a review'], ['a name', '--name-only']] as const) {
  test(`${what} is erased from the history in a copy, and stays out`, { skip }, async (context) => {
    const dataset = await imported(context);
    const { git, commit, copy } = await repositoryOf(dataset);
    context.after(() => rm(copy, { recursive: true, force: true }));
    await dataset.edit('reviews/2026.jsonl', (lines) =>
      lines.replace('"author":"Ada Byron"', '"author": "Ada Byron" , "title":"Typed later"'),
    );
    await dataset.record();
    commit('Edit');
    const { id } = await firstOf(dataset);
    const early = await run(dataset, id, '--history', copy);
    assert.match(String(early.error), /is not erased/);
    assert.ifError((await run(dataset, id, ...args)).error);
    const uncommitted = await run(dataset, id, '--history', copy);
    assert.match(String(uncommitted.error), /commit it, and do this again/);
    commit('Erase');
    const before = await dataset.files();
    const history = git('log', '-p', '--all');
    const { error, output } = await run(dataset, id, '--history', copy);
    assert.ifError(error);
    assert.match(output, /^- .*Typed later/m);
    assert.match(output, /These [23] lines are gone .* and [34] stay/);
    assert.equal(git('log', '-p', '--all'), history);
    assert.deepEqual(await dataset.files(), before);
    const log = execFileSync('git', ['log', '-p', '--all'], { cwd: copy, encoding: 'utf8' });
    assert.doesNotMatch(log, what === 'a review' ? /Ada Byron|Typed later/ : /Ada Byron/);
    assert.match(log, /Grace Hopper/);
    assert.match(String((await run(dataset, id, '--history', copy)).error), /name a new folder/);
    // What the copy has goes back over the repository, and the same export is imported again.
    git('fetch', '-q', copy);
    git('reset', '-q', '--hard', 'FETCH_HEAD');
    const content = await readContent(dataset.folder);
    assert.equal(content.reviews.length, what === 'a review' ? 4 : 5);
    assert.deepEqual(await dataset.files(), before);
    assert.ifError((await runHere(checkContent, dataset.folder, [])).error);
    await importText(dataset);
    assert.doesNotMatch(JSON.stringify(await dataset.files()), /Ada Byron/);
  });
}

test('without git-filter-repo it says how to get it, and leaves no copy', async (context) => {
  const dataset = await imported(context);
  const { commit, copy } = await repositoryOf(dataset);
  const { id } = await firstOf(dataset);
  assert.ifError((await run(dataset, id)).error);
  commit('Erase');
  const { PATH } = process.env;
  const bin = join(dataset.folder, '../bin');
  await mkdir(bin);
  const git = execFileSync('bash', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  await symlink(git, join(bin, 'git'));
  process.env.PATH = bin;
  context.after(() => {
    process.env.PATH = PATH;
  });
  const { error } = await run(dataset, id, '--history', copy);
  assert.match(String(error), /git filter-repo is not installed: apt-get install/);
  assert.ok(!existsSync(copy));
});

test('a lost tombstone is an issue, and no import brings its review back', async (context) => {
  const dataset = await imported(context);
  const { id } = await firstOf(dataset);
  assert.ifError((await run(dataset, id)).error);
  const lost = new RegExp(
    `withdrawn\\.jsonl: has no tombstone of the review that entry 6 .*add \\{"id":"${id}"`,
  );
  await dataset.edit('withdrawn.jsonl', () => '');
  await assert.rejects(readContent(dataset.folder), lost);
  await assert.rejects(importText(dataset), lost);
});
