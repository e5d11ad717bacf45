import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { contentFolder, type Changes } from '../support/content-folder.ts';
import { ROOT } from '../support/fixtures.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { checkHonesty } from '../support/honesty.ts';
import { visibleText } from '../support/pages.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { htmlErrors } from '../support/validate-html.ts';

/** Pages, the home page first. */
const PAGES = [
  '/',
  '/developers/',
  '/faq/',
  '/insights/',
  '/method/',
  '/policy/',
  '/reviews/',
  '/reviews/2026-03/',
];
const LISTS = ['aspects', 'problems', 'service-areas', 'services', 'technicians', 'topics'];

/** A single rating without words, of nothing that is looked for. */
const RATING: Changes = {
  ...Object.fromEntries(LISTS.map((name) => [`vocabulary/${name}.json`, '[]'])),
  'business.json': JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning' }),
  'faq/prices.md': null,
  'reviews/2026.jsonl': jsonl(record({ text: null })),
  'summary.md': null,
};

let contentDir: string;
let url: string;
const stops: (() => Promise<unknown>)[] = [];

before(async () => {
  contentDir = await contentFolder({ after: (remove) => stops.push(remove) }, RATING);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const program = join(ROOT, 'node_modules/astro/bin/astro.mjs');
  const child = spawn(
    process.execPath,
    [program, 'dev', '--host', '127.0.0.1', '--port', `${port}`],
    {
      cwd: ROOT,
      env: { ...process.env, CONTENT_DIR: contentDir },
      stdio: 'ignore',
    },
  );
  const exited = once(child, 'exit');
  stops.push(() => (child.kill(), exited));
  await eventually(async () => (await known()) === 1);
});

after(async () => {
  for (const stop of stops.toReversed()) await stop();
});

/** Returns the number of reviews on the server; undefined until it listens. */
async function known(): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/reviews.json`);
    return ((await response.json()) as ReviewsDataset).coverage.known;
  } catch {
    return undefined;
  }
}

test('a single rating without words, of nothing that is looked for, reads as one', async () => {
  const { reviews } = (await (await fetch(`${url}/reviews.json`)).json()) as ReviewsDataset;
  const pages = await Promise.all(
    PAGES.map(async (path) => ({ path, html: await (await fetch(url + path)).text() })),
  );
  assert.deepEqual(checkHonesty(pages, reviews), []);
  // /developers/ shows JSON, in which null is valid.
  const forPeople = pages.filter(({ path }) => path !== '/developers/');
  for (const { html, path } of forPeople) assert.deepEqual(await htmlErrors(html), [], path);
  const texts = Object.fromEntries(forPeople.map(({ path, html }) => [path, visibleText(html)]));
  assert.match(texts['/']!, /5\.00 of 5, from all ?1 review /);
  assert.match(texts['/']!, /1 of 1 known reviews published\. The oldest is from March 1, 2026\. /);
  assert.doesNotMatch(
    texts['/']!,
    /praise|criticize|In short|critical reviews|in the reviews|over time/,
  );
  assert.match(texts['/insights/']!, /No review mentions an aspect, a person or a service/);
  assert.doesNotMatch(texts['/insights/']!, /Technicians|Services|Problems|Topics/);
  assert.match(texts['/reviews/2026-03/']!, /1 review, 5\.00 of 5 on average\./);
  assert.match(texts['/reviews/2026-03/']!, /Nadia Holt on Google, rating only/);
  assert.doesNotMatch(texts['/reviews/2026-03/']!, /Older|Newer/);
  for (const text of Object.values(texts)) assert.doesNotMatch(text, /null|undefined|NaN|Infinity/);
});

test('npm run dev shows a file of reviews that is added, changed and removed', async () => {
  const file = join(contentDir, 'reviews/2025.jsonl');
  const added = record({ id: ulidOf(7), date: '2025-03-01' });
  await writeFile(file, jsonl(added));
  await eventually(async () => (await known()) === 2);
  const month = await fetch(`${url}/reviews/2025-03/`);
  assert.equal(month.status, 200);
  assert.match(await month.text(), /1 review, 5\.00 of 5 on average/);
  await writeFile(file, jsonl(added, record({ id: ulidOf(8), date: '2025-03-02' })));
  await eventually(async () => (await known()) === 3);
  await rm(file);
  await eventually(async () => (await known()) === 1);
});
