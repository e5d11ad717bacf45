import assert from 'node:assert/strict';
import fs from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { readContent } from '../../src/content/read-content.ts';
import { erase } from '../../src/owner/commands/erase.ts';
import { importReviews } from '../../src/owner/commands/import.ts';
import type { Command } from '../../src/run-command.ts';
import { emptyDataset } from '../support/import.ts';
import { jsonl } from '../support/reviews.ts';
import { runHere } from '../support/run-here.ts';

/**
 * Runs a command that ends before it puts one of its files in place or removes it, if it has so many:
 * like a process that is killed, it changes no file after that.
 */
async function runKilledAt(
  { mock }: TestContext,
  step: number,
  command: Command,
  folder: string,
  args: readonly string[],
): Promise<boolean> {
  const killed = new Error('killed');
  let steps = 0;
  for (const name of ['renameSync', 'rmSync'] as const) {
    const original = fs[name] as (...args: unknown[]) => void;
    mock.method(fs, name, (...args: unknown[]) => {
      if (++steps >= step) throw killed;
      original(...args);
    });
  }
  syncBuiltinESMExports();
  const { error } = await runHere(command, folder, args);
  mock.restoreAll();
  syncBuiltinESMExports();
  if (error !== killed) assert.ifError(error);
  return error === killed;
}

/** Attempts with one step more each time, at least so many, until a command is not killed. */
async function untilNotKilled(least: number, attempt: (step: number) => Promise<boolean>) {
  let steps = 1;
  while (steps < 100 && (await attempt(steps))) steps++;
  assert.ok(steps >= least && steps < 100, `${steps} steps`);
}

const CSV = 'id,rating,date,text,author\na,5,2024-01-03,Swift.,Ada\nb,2,2023-01-04,Late.,Bo\n';
const OPTIONS = { source: 'yelp', accept: () => Promise.resolve(true) };

test('an import that is killed between any two files loses nothing, and is completed by the same import', async (context) => {
  const csv = `${CSV}c,4,2022-01-04,Fair.,Cy\n`;
  await untilNotKilled(5, async (step) => {
    const dataset = await emptyDataset(context);
    await dataset.runText('all.csv', csv, OPTIONS);
    const before = await dataset.files();
    const other = join(dataset.folder, '..', 'other.csv');
    await writeFile(other, csv.replace(/b,.*\n/, '').replace('Fair.', 'Fair enough.'));
    const args = [other, '--source', 'yelp', '--yes', '--withdraw'];
    const isKilled = await runKilledAt(context, step, importReviews, dataset.folder, args);
    const halfway = await dataset.files();
    const inPlace = Object.entries(halfway).filter(([name]) => !name.endsWith('.part'));
    if (isKilled && !isDeepStrictEqual(Object.fromEntries(inPlace), before)) {
      await assert.rejects(readContent(dataset.folder), /unfinished\.json: an import .* record/);
    }
    const id = /"id":"(\w+)"/.exec(halfway['withdrawn.jsonl'] ?? '')?.[1];
    assert.ok(id !== undefined || halfway['reviews/2023.jsonl'] !== undefined, `step ${step}`);

    assert.ifError((await runHere(importReviews, dataset.folder, args)).error);
    const files = await dataset.files();
    const texts = (await dataset.records()).map(({ text }) => text);
    assert.deepEqual(texts, ['Fair enough.', 'Swift.'], `step ${step}`);
    assert.equal(files['withdrawn.jsonl']!.trimEnd().split('\n').length, 1, `step ${step}`);
    assert.equal(files['imports.jsonl']!.trimEnd().split('\n').length, 2, `step ${step}`);
    assert.match(await dataset.record(), /Nothing to record/, `step ${step}`);
    const hidden = (await readdir(dataset.folder)).filter((name) => name.startsWith('.'));
    assert.deepEqual(hidden, ['.lock']);
    return isKilled;
  });
});

test('an erasure that is killed between any two files is completed by the same command', async (context) => {
  await untilNotKilled(4, async (step) => {
    const dataset = await emptyDataset(context);
    await dataset.runText('all.csv', CSV, OPTIONS);
    const { id } = (await dataset.records()).find(({ author }) => author === 'Ada')!;
    await dataset.add('annotations/model.jsonl', jsonl({ review_id: id }));
    const isKilled = await runKilledAt(context, step, erase, dataset.folder, [id]);
    assert.ifError((await runHere(erase, dataset.folder, [id])).error);
    const files = await dataset.files();
    assert.doesNotMatch(JSON.stringify(files), /Ada|Swift/, `step ${step}`);
    assert.equal(files['annotations/model.jsonl'], undefined, `step ${step}`);
    assert.equal(files['withdrawn.jsonl']!.trimEnd().split('\n').length, 1, `step ${step}`);
    assert.match(await dataset.record(), /Nothing to record/, `step ${step}`);
    return isKilled;
  });
});

test('a command that was stopped on another machine is run there, or undone with git', async (context) => {
  const dataset = await emptyDataset(context);
  const list = JSON.stringify([{ name: 'withdrawn.jsonl', sha256: '0'.repeat(64) }]);
  await dataset.add('.unfinished.json', list);
  for (const _ of [1, 2]) {
    await assert.rejects(dataset.run(['yelp.json']), /withdrawn\.jsonl: .* again, or restore/);
  }
});

test('a dataset without business.json is one sentence, and gets no file', async (context) => {
  const dataset = await emptyDataset(context);
  await rm(join(dataset.folder, 'business.json'));
  const message = /^Error: .*\/content has no business\.json: npm run new writes one$/;
  await assert.rejects(dataset.run(['yelp.json']), message);
  assert.deepEqual(await readdir(dataset.folder), []);
});
