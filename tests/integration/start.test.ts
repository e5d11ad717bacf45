import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { Manifest } from '../../src/edition/manifest.ts';
import { reviewsDataset } from '../../src/schema/dataset.ts';
import { contentFolder } from '../support/content-folder.ts';
import { readDataset } from '../support/edition.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { MEANINGLESS, readPages, visibleText } from '../support/pages.ts';
import { jsonl, record } from '../support/reviews.ts';
import { htmlErrors } from '../support/validate-html.ts';

const NOT_NEEDED = ['faq', 'reviews', 'summary.md', 'vocabulary'];

test('npm start builds the honest site of a business without a published review, serves it, and last prints the address', async (context) => {
  const folder = await temporaryFolder(context);
  const contentDir = await contentFolder(context, {
    ...Object.fromEntries(NOT_NEEDED.map((part) => [part, null])),
    'business.json': JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning' }),
    'reviews/2026.jsonl': jsonl(record({ verified: false })),
  });
  const dist = join(folder, 'dist');
  const port = String(await freePort());
  const program = spawn(process.execPath, ['src/start/main.ts', contentDir, '--outDir', dist], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: port,
      SITE_URL: '',
      HOST: '127.0.0.1',
      EDITION: join(dist, 'client'),
      DATA_DIR: join(folder, 'data'),
      HUB_URL: 'http://127.0.0.1:9/',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'close');
  context.after(() => program.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface({ input: program.stdout })) {
    lines.push(line);
    if (line.startsWith('Open ')) break;
  }
  assert.equal(lines.at(-1), `Open http://localhost:${port}`);
  assert.ok(lines.length <= 15, lines.join('\n'));

  const manifest = await (await fetch(`http://127.0.0.1:${port}/edition.json`)).json();
  assert.equal((manifest as Manifest).base_url, `http://localhost:${port}`);
  assert.equal((await fetch(`http://127.0.0.1:${port}/search/?query=a`)).status, 200);

  await assertHonest(join(dist, 'client'));

  program.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`), 'the sidecar ended with it');
});

/** Asserts that every page says that there are no reviews, and counts nothing. */
async function assertHonest(client: string): Promise<void> {
  const { coverage, reviews } = reviewsDataset.parse(await readDataset(client));
  assert.deepEqual(reviews, []);
  assert.deepEqual([coverage.known, coverage.published], [1, 0]);
  const all = await readPages(client);
  for (const { html, path } of all) assert.deepEqual(await htmlErrors(html), [], path);
  // /developers/ shows JSON, in which null is valid.
  const forPeople = all.filter(({ path }) => !path.startsWith('/developers/'));
  const pages = Object.fromEntries(forPeople.map(({ path, html }) => [path, visibleText(html)]));
  assert.deepEqual(Object.keys(pages).sort(), [
    '/',
    '/404.html',
    '/faq/',
    '/insights/',
    '/method/',
    '/method/check/',
    '/policy/',
    '/reviews/',
  ]);
  assert.match(pages['/']!, /No reviews yet\./);
  assert.match(pages['/']!, /0 of 1 known reviews published; 1 left out : unverified/);
  assert.match(pages['/reviews/']!, /No reviews yet\./);
  assert.match(pages['/insights/']!, /there is nothing to count/);
  assert.match(pages['/faq/']!, /There are no questions here yet\./);
  for (const [path, text] of Object.entries(pages)) {
    assert.doesNotMatch(text, MEANINGLESS, path);
    assert.match(text, /^.{0,60}Fenwick Drains Reviews Developers /, path);
  }
}
