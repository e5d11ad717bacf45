import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { Manifest } from '../../src/edition/manifest.ts';
import { contentFolder } from '../support/content-folder.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { MEANINGLESS, readPages, visibleText } from '../support/pages.ts';
import { htmlErrors } from '../support/validate-html.ts';

const NOT_NEEDED = ['faq', 'reviews', 'summary.md', 'vocabulary'];

test('npm start builds the honest site of business.json alone, serves it, and last prints the address', async (context) => {
  const folder = await temporaryFolder(context);
  const contentDir = await contentFolder(context, {
    ...Object.fromEntries(NOT_NEEDED.map((part) => [part, null])),
    'business.json': JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning' }),
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
      SERVER_DIR: join(dist, 'server'),
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

  for (const { html, path } of await readPages(join(dist, 'client'))) {
    assert.deepEqual(await htmlErrors(html), [], path);
    if (!path.startsWith('/developers/')) assert.doesNotMatch(visibleText(html), MEANINGLESS, path);
  }

  program.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`), 'the sidecar ended with it');
});
