import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeSqlite } from '../../src/build/write-sqlite.ts';
import { SQLITE_PATH } from '../../src/paths.ts';
import { OPERATIONS } from '../../src/resources/catalogue.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import { readDataset, readJson, sampleEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { run } from '../support/run.ts';

// reviews.sqlite, as the program sqlite3 of Debian reads it.

const client = await sampleEdition();
const skip = existsSync('/usr/bin/sqlite3') ? false : 'the program sqlite3 is not installed';

const dataset = await readDataset(client);
const insights = await readJson<InsightsDataset>(client, 'insights.json');

async function query<T = Record<string, unknown>>(sql: string): Promise<T[]> {
  const args = ['-readonly', '-json', join(client, 'reviews.sqlite'), sql];
  const { stdout } = await run('sqlite3', args);
  return JSON.parse(stdout || '[]') as T[];
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

function without(row: object, ...members: string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !members.includes(name)));
}

test('the file is sound, and every reference leads to a row', { skip }, async () => {
  assert.deepEqual(await query('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  assert.deepEqual(await query('PRAGMA foreign_key_check'), []);
  assert.deepEqual(await query('PRAGMA page_size'), [{ page_size: 4096 }]);
  assert.deepEqual(await query('PRAGMA freelist_count'), [{ freelist_count: 0 }]);
});

test('its tables and views are those of its description', { skip }, async () => {
  const all = await query<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name",
  );
  const { description } = OPERATIONS.find(({ path }) => path === SQLITE_PATH)!;
  const [, described] = description.split('the tables ');
  const words = new Set(described!.match(/\w+/g));
  for (const word of ['and', 'the', 'views']) words.delete(word);
  assert.deepEqual(
    [...words].sort(),
    all.map(({ name }) => name),
  );
});

test('its reviews are those of reviews.json, in the same order', { skip }, async () => {
  const rows = await query('SELECT * FROM reviews ORDER BY rowid');
  assert.deepEqual(
    rows.map((row) => without(row, 'sentiment', 'sentiment_score')),
    dataset.reviews.map((review) => ({
      ...without(review, 'owner_reply', 'verified', 'mentions', 'score'),
      origin: review.origin ?? null,
      score: review.score?.value ?? null,
      score_best: review.score?.best ?? null,
      criticism_at: review.criticism_at ?? null,
      reply: review.owner_reply?.text ?? null,
      reply_date: review.owner_reply?.date ?? null,
    })),
  );
  for (const { id, sentiment, sentiment_score } of rows) {
    const labels = insights.per_review[id as string]!;
    assert.deepEqual([sentiment, sentiment_score], [labels.sentiment, labels.score]);
  }
});

test('its views count aspects and mentions as insights.json does', { skip }, async () => {
  const counts = insights.aspects.map(({ id, label, ...aspect }) => {
    const { mention_count, positive_count, neutral_count, negative_count } = aspect;
    return { id, label, mention_count, positive_count, neutral_count, negative_count };
  });
  assert.ok(counts.some(({ mention_count: count }) => count > 0));
  assert.deepEqual(await query('SELECT * FROM aspect_counts ORDER BY id'), counts.sort(byId));

  const mentions = await query<{ kind: string; id: string; mention_count: number }>(
    'SELECT * FROM mention_counts',
  );
  const { technicians, services, service_areas, problems } = insights.entities;
  for (const [kind, list] of Object.entries({
    technician: technicians,
    service: services,
    service_area: service_areas,
    problem: problems,
  })) {
    const rows = list.map(({ id, label, mention_count, average_rating }) => {
      return { kind, id, label, mention_count, average_rating };
    });
    assert.deepEqual(mentions.filter((row) => row.kind === kind).sort(byId), rows.sort(byId));
  }
  for (const { id, review_count: count } of insights.topics) {
    const row = mentions.find((one) => one.kind === 'topic' && one.id === id);
    assert.equal(row!.mention_count, count);
  }
});

// DuckDB runs the text of a view itself, and standard SQL groups by all that is not an aggregate.
test('its views group by every column that they do not count', { skip }, async () => {
  const views = await query<{ sql: string }>("SELECT sql FROM sqlite_master WHERE type = 'view'");
  assert.equal(views.length, 2);
  for (const { sql } of views) {
    const [, columns] = /SELECT (.*)\n\s+FROM/s.exec(sql)!;
    const plain = columns!.replace(/(COUNT|ROUND)\(.*$/s, '').match(/\w+\.\w+/g)!;
    const [, grouped] = /GROUP BY (.*)$/s.exec(sql)!;
    assert.deepEqual(grouped!.split(', '), plain);
  }
});

test('every column has a type, and no other file is needed to open it', { skip }, async () => {
  const columns = await query<{ type: string }>(
    `SELECT info.type FROM sqlite_master AS list, pragma_table_info(list.name) AS info
      WHERE list.type = 'table'`,
  );
  const types = new Set(columns.map(({ type }) => type));
  assert.deepEqual([...types].sort(), ['INTEGER', 'REAL', 'TEXT']);
  assert.deepEqual(await query('PRAGMA journal_mode'), [{ journal_mode: 'delete' }]);
});

test('about names the edition and its site', { skip }, async () => {
  const rows = await query<{ name: string; value: string }>('SELECT name, value FROM about');
  const about = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  assert.equal(about.edition, dataset.edition);
  assert.equal(about.business, dataset.business.name);
});

test('attributes, origin and verification of a review are in it too', { skip }, async (context) => {
  const file = join(await temporaryFolder(context), 'reviews.sqlite');
  const [first, ...others] = dataset.reviews;
  const attributes = { Country: 'Peru', Room: 'Double' };
  const reviews = [{ ...first!, origin: 'invited' as const, attributes }, ...others];
  writeSqlite(file, { baseUrl: 'https://a.example', dataset: { ...dataset, reviews }, insights });
  const sql = `SELECT origin, verification, name, value
    FROM reviews JOIN attributes ON review_id = id ORDER BY name`;
  const { stdout } = await run('sqlite3', ['-readonly', file, sql]);
  const { verification } = first!;
  const rows = ['Country|Peru', 'Room|Double'].map((row) => `invited|${verification}|${row}\n`);
  assert.equal(stdout, rows.join(''));
});

test('the same dataset gives the same bytes, in any folder and at any time', async (context) => {
  const folder = await temporaryFolder(context);
  const files = ['a.sqlite', 'b.sqlite'].map((name) => join(folder, name));
  for (const file of files) {
    writeSqlite(file, { baseUrl: 'https://a.example', dataset, insights });
  }
  const [first, second] = await Promise.all(files.map((file) => readFile(file)));
  assert.ok(first!.equals(second!));
  // SQLite file format, section 1.3: the change counter is the one that the file is valid for.
  assert.equal(first!.readUInt32BE(24), first!.readUInt32BE(92));
});
