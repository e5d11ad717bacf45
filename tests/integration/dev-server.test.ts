import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { contentFolder } from '../support/content-folder.ts';
import { ROOT } from '../support/fixtures.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';

let contentDir: string;
let url: string;
const stops: (() => Promise<unknown>)[] = [];

before(async () => {
  contentDir = await contentFolder({ after: (remove) => stops.push(remove) }, {});
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
  await eventually(async () => (await known()) === 2);
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

test('npm run dev shows a file of reviews that is added, changed and removed', async () => {
  const file = join(contentDir, 'reviews/2025.jsonl');
  const added = record({ id: ulidOf(7), date: '2025-03-01' });
  await writeFile(file, jsonl(added));
  await eventually(async () => (await known()) === 3);
  assert.equal((await fetch(`${url}/reviews/2025-03/`)).status, 200);
  await writeFile(file, jsonl(added, record({ id: ulidOf(8), date: '2025-03-02' })));
  await eventually(async () => (await known()) === 4);
  await rm(file);
  await eventually(async () => (await known()) === 2);
});
