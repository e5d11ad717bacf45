import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { lockDataset } from '../../src/owner/locked-dataset.ts';
import { ROOT } from '../support/fixtures.ts';
import { emptyDataset, type Dataset } from '../support/import.ts';

const KILL = join(ROOT, 'tests/support/crash/kill-at.ts');
const WITHDRAW = [join(ROOT, 'tests/support/crash/withdraw-one.ts')];
const FINISHED =
  /The last command was interrupted while it wrote\. Finishing it: withdrawn\.jsonl, /;
const UNDONE = /The last command was interrupted before it changed anything: run it again\./;

interface Ended {
  isKilled: boolean;
  stderr: string;
}

/** Runs a program that is killed before one of its changes of the file system, if it has so many. */
function runKilledAt(step: number, args: readonly string[], env = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--import', KILL, ...args],
      { cwd: ROOT, env: { ...process.env, ...env, KILL_AT: String(step) } },
      (error, _, stderr) => {
        const isKilled = error?.signal === 'SIGKILL';
        if (error && !isKilled) reject(new Error(stderr));
        else resolve({ isKilled, stderr });
      },
    );
  });
}

const BEFORE = {
  'reviews/2023.jsonl': '{"id":"old"}\n',
  'reviews/2024.jsonl': '{"id":"gone"}\n{"id":"kept"}\n',
};
const AFTER = {
  'journal/2026.jsonl': '{"seq":1}\n',
  'reviews/2024.jsonl': '{"id":"kept"}\n',
  'withdrawn.jsonl': '{"id":"gone"}\n{"id":"old"}\n',
};

async function threeReviews(context: TestContext): Promise<Dataset> {
  const dataset = await emptyDataset(context);
  await mkdir(join(dataset.folder, 'reviews'));
  for (const [name, text] of Object.entries(BEFORE)) {
    await writeFile(join(dataset.folder, name), text);
  }
  return dataset;
}

/** Checks that no review is neither there nor withdrawn, and that no file is written in part. */
async function assertNothingLost(dataset: Dataset, step: number): Promise<void> {
  const { 'business.json': _, ...files } = await dataset.files();
  const text = ['reviews/2023.jsonl', 'reviews/2024.jsonl', 'withdrawn.jsonl']
    .map((name) => files[name] ?? '')
    .join('');
  for (const id of ['old', 'gone', 'kept']) assert.match(text, new RegExp(id), `step ${step}`);
  for (const [name, content] of Object.entries(files)) {
    if (name.startsWith('.writing/')) continue;
    const whole = [BEFORE, AFTER].map((state) => (state as Record<string, string>)[name]);
    assert.ok(whole.includes(content), `step ${step}: ${name}`);
  }
}

test('a write that is killed at any step, twice, is finished or undone by the next', async (context) => {
  let steps = 0;
  const attempt = async (step: number): Promise<boolean> => {
    const dataset = await threeReviews(context);
    const first = await runKilledAt(step, [...WITHDRAW, dataset.folder]);
    await assertNothingLost(dataset, step);
    const names = await readdir(dataset.folder, { recursive: true });
    const left = names.filter((name) => name.startsWith('.writing/'));
    const second = await runKilledAt(step, [...WITHDRAW, dataset.folder]);
    await assertNothingLost(dataset, step);
    const { isKilled, stderr } = await runKilledAt(0, [...WITHDRAW, dataset.folder]);
    assert.equal(isKilled, false);
    const { 'business.json': _, ...files } = await dataset.files();
    assert.deepEqual(files, AFTER, `step ${step}`);
    assert.deepEqual(
      (await readdir(dataset.folder)).filter((name) => name.startsWith('.')),
      ['.lock'],
    );
    const told = second.stderr + stderr;
    if (left.includes('.writing/plan.json')) assert.match(told, FINISHED);
    else if (left.length > 0) assert.match(told, UNDONE);
    return first.isKilled;
  };
  // Two at a time, until a step comes that the program does not have.
  while ((await Promise.all([attempt(steps + 1), attempt(steps + 2)])).every(Boolean)) steps += 2;
  assert.ok(steps > 30, `${steps} steps`);
});

test('a killed import is finished by the next command, which says so', async (context) => {
  const dataset = await emptyDataset(context);
  const csv = 'id,rating,date,text,author\na,5,2024-01-03,Swift.,Ada\nb,2,2023-01-04,Late.,Bo\n';
  const options = { source: 'yelp', accept: () => Promise.resolve(true) };
  await dataset.runText('all.csv', csv, options);
  const shorter = join(dataset.folder, '..', 'shorter.csv');
  await writeFile(shorter, csv.replace(/b,.*\n/, ''));
  const flags = ['--source', 'yelp', '--yes', '--withdraw'];
  const args = ['src/owner/main.ts', 'import', shorter, ...flags];
  const env = { CONTENT_DIR: dataset.folder };
  // Tombstones are in place then, and the line of the review is still there.
  const killed = await runKilledAt(0, args, { ...env, KILL_BEFORE: 'rmSync' });
  assert.equal(killed.isKilled, true);
  const { 'withdrawn.jsonl': tombstones, 'reviews/2023.jsonl': review } = await dataset.files();
  assert.match(tombstones!, /gone-from-platform/);
  assert.match(review!, /Late\./);
  const { stderr } = await runKilledAt(0, args, env);
  assert.match(stderr, FINISHED);
  assert.deepEqual(
    (await dataset.records()).map(({ text }) => text),
    ['Swift.'],
  );
  assert.match(await dataset.record(), /Nothing to record/);
});

test('a file that a person changed after a kill is kept, beside the other version', async (context) => {
  const dataset = await threeReviews(context);
  for (let step = 1; ; step++) {
    await runKilledAt(step, [...WITHDRAW, dataset.folder]);
    if ('.writing/plan.json' in (await dataset.files())) break;
    await rm(join(dataset.folder, '.writing'), { recursive: true, force: true });
  }
  await dataset.edit('reviews/2024.jsonl', (text) => `${text}{"id":"typed"}\n`);
  const before = await dataset.files();
  const message = /reviews\/2024\.jsonl was changed after .* replace it with .*\.writing\/\d: put/;
  assert.throws(() => lockDataset(dataset.folder), message);
  assert.deepEqual(await dataset.files(), before);
});

test('a plan that leads out of the dataset is refused', async (context) => {
  const dataset = await threeReviews(context);
  const plan = join(dataset.folder, '.writing/plan.json');
  await mkdir(join(dataset.folder, '.writing'));
  for (const name of ['../evil', '/etc/evil', 'reviews/..', 'a/../../b']) {
    await writeFile(plan, JSON.stringify([{ name, before: null, after: null }]));
    assert.throws(() => lockDataset(dataset.folder), /plan\.json cannot be read: delete/);
  }
});

test('a dataset without business.json is one sentence, and gets no file', async (context) => {
  const dataset = await emptyDataset(context);
  await rm(join(dataset.folder, 'business.json'));
  const message = /^Error: .*\/content has no business\.json: npm run new writes one$/;
  await assert.rejects(dataset.run(['yelp.json']), message);
  assert.deepEqual(await readdir(dataset.folder), []);
});
